import { z } from 'zod';
import { FAUCET_ASSETS } from '#domain/faucet.ts';
import { refuse } from '#domain/refusal.ts';
import { RefusalError } from '#server/api/refusal-to-trpc.ts';
import { customerProcedure, router, signedInProcedure } from '#server/api/trpc.ts';
import { payFromFaucet } from '#server/deposits/pay-from-faucet.ts';
import { readEnv } from '#server/env.ts';
import { findMailbox } from '#server/notifications/find-mailbox.ts';

/** What only the demo has. Outside it these do not exist. */
export const demoRouter = router({
  mailbox: signedInProcedure.query(async ({ ctx }) => {
    if (ctx.tools.demoMode !== true) throw new RefusalError(refuse('not_found'));
    return { messages: await findMailbox(ctx.tools, { userId: ctx.session.userId }) };
  }),

  /** Coins out of nothing, to the caller's own deposit address on the dev chain or a simulated network. */
  faucet: customerProcedure
    .input(z.strictObject({ asset: z.enum(FAUCET_ASSETS), network: z.string().max(32) }))
    .mutation(async ({ ctx, input }) => {
      if (ctx.tools.demoMode !== true) throw new RefusalError(refuse('not_found'));
      const { chainRpcUrl, simulatedChainsUrl } = readEnv();
      const customerId = ctx.session.userId;
      const paid = await payFromFaucet(ctx.tools, { ...input, customerId, chainRpcUrl, simulatedChainsUrl });
      if (paid === null) throw new RefusalError(refuse('not_found'));
      return paid;
    }),
});
