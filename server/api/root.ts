import { accountRouter } from '#server/api/routers/account-router.ts';
import { addressBookRouter } from '#server/api/routers/address-book-router.ts';
import { assetRouter } from '#server/api/routers/asset-router.ts';
import { demoRouter } from '#server/api/routers/demo-router.ts';
import { depositRouter } from '#server/api/routers/deposit-router.ts';
import { operatorRouter } from '#server/api/routers/operator-router.ts';
import { securityRouter } from '#server/api/routers/security-router.ts';
import { withdrawalRouter } from '#server/api/routers/withdrawal-router.ts';
import { router } from '#server/api/trpc.ts';

export const appRouter = router({
  account: accountRouter,
  asset: assetRouter,
  withdrawal: withdrawalRouter,
  deposit: depositRouter,
  operator: operatorRouter,
  addressBook: addressBookRouter,
  demo: demoRouter,
  security: securityRouter,
});

/** The contract with the pages, as a type only. */
export type AppRouter = typeof appRouter;
