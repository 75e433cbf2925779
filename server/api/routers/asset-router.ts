import { formatAmount } from '#domain/money.ts';
import { openProcedure, router } from '#server/api/trpc.ts';

export const assetRouter = router({
  list: openProcedure.query(async ({ ctx }) => {
    const { assets, pairs } = await ctx.tools.catalogue.read();
    return {
      assets: assets.map(({ id, name, decimals }) => ({
        assetId: id,
        name,
        decimals,
        networks: pairs
          .filter((pair) => pair.assetId === id)
          .map((pair) => ({
            networkId: pair.networkId,
            name: pair.networkName,
            family: pair.family,
            minimum: formatAmount(pair.minimumMinor, decimals),
            fee: formatAmount(pair.feeMinor, decimals),
            confirmationsRequired: pair.confirmationsRequired,
            memoRule: pair.memoRule,
            explorerTransactionTemplate: pair.explorerTransactionTemplate,
            enabled: pair.enabled,
            contract: pair.contract,
          })),
      })),
    };
  }),
});
