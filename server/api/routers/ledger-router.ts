import { findAsset } from '#domain/asset.ts';
import { refuse } from '#domain/refusal.ts';
import { confirmedBy } from '#server/api/confirmed-by.ts';
import { adjustmentIdSchema, adjustmentSchema } from '#server/api/money-schemas.ts';
import { waitingListSchema } from '#server/api/operator-schemas.ts';
import { readWireAmount } from '#server/api/read-wire-amount.ts';
import { done, RefusalError } from '#server/api/refusal-to-trpc.ts';
import { operatorProcedure, router, staffProcedure } from '#server/api/trpc.ts';
import { confirmAdjustment } from '#server/ledger/confirm-adjustment.ts';
import { findAdjustments } from '#server/ledger/find-adjustments.ts';
import { proposeAdjustment } from '#server/ledger/propose-adjustment.ts';

export const adjustmentsRouter = router({
  list: staffProcedure.input(waitingListSchema).query(({ ctx, input }) => findAdjustments(ctx.tools, input)),

  propose: operatorProcedure.input(adjustmentSchema).mutation(async ({ ctx, input }) => {
    const asset = findAsset((await ctx.tools.catalogue.read()).assets, input.asset);
    if (asset === null) throw new RefusalError(refuse('asset_unknown', { fields: ['asset'] }));
    const amountMinor = readWireAmount(input.amount, asset.decimals, 'amount');
    if (amountMinor === 0n) throw new RefusalError(refuse('amount_not_positive', { fields: ['amount'] }));
    const { adjustmentId, debit, credit, reason } = input;
    const proposal = {
      adjustmentId,
      assetId: asset.id,
      debit,
      credit,
      amountMinor,
      reason,
      actorId: ctx.session.userId,
    };
    return done(await proposeAdjustment(ctx.tools, proposal));
  }),

  confirm: operatorProcedure.input(adjustmentIdSchema).mutation(async ({ ctx, input }) => {
    const { adjustmentId, stepUp } = input;
    return done(await confirmAdjustment(ctx.tools, { adjustmentId, ...confirmedBy(ctx, stepUp) }));
  }),
});
