import { confirmedBy } from '#server/api/confirmed-by.ts';
import type { ApiTools } from '#server/api/context.ts';
import {
  doubtListSchema,
  parkSchema,
  resolutionIdSchema,
  resolutionSchema,
  statementSchema,
} from '#server/api/operator-schemas.ts';
import { done } from '#server/api/refusal-to-trpc.ts';
import { withdrawalIdSchema } from '#server/api/schemas.ts';
import { operatorProcedure, router, staffProcedure } from '#server/api/trpc.ts';
import { attachStatement } from '#server/operator/attach-statement.ts';
import { cancelForCustomer } from '#server/operator/cancel-for-customer.ts';
import { confirmResolution } from '#server/operator/confirm-resolution.ts';
import { findDoubts } from '#server/operator/find-doubts.ts';
import { lookUpNow } from '#server/operator/look-up-now.ts';
import { parkForReview } from '#server/operator/park-for-review.ts';
import { proposeResolution } from '#server/operator/propose-resolution.ts';

/** Withdrawals whose outcome is not known, and the only way in which people end them. */
export const doubtRouter = router({
  /** `custodySigns`: the demo's custody signs a statement when it is asked; any other is asked in writing. */
  list: staffProcedure.input(doubtListSchema).query(async ({ ctx, input }) => ({
    ...(await findDoubts(ctx.tools, input)),
    custodySigns: (ctx.tools.room?.lab ?? null) !== null,
  })),

  lookUpNow: operatorProcedure
    .input(withdrawalIdSchema)
    .mutation(({ ctx, input }) => lookUpNow(ctx.tools, { ...input, actorId: ctx.session.userId })),

  park: operatorProcedure
    .input(parkSchema)
    .mutation(({ ctx, input }) => parkForReview(ctx.tools, { ...input, actorId: ctx.session.userId })),

  /** For the customer, and only while it is proved that nothing was sent. */
  cancel: operatorProcedure.input(parkSchema).mutation(async ({ ctx, input }) => {
    return done(await cancelForCustomer(ctx.tools, { ...input, actorId: ctx.session.userId }), input.withdrawalId);
  }),

  /** New evidence for a release where no look-up can prove absence. It releases nothing by itself. */
  attachStatement: operatorProcedure.input(statementSchema).mutation(async ({ ctx, input }) => {
    return done(
      await attachStatement(withKeys(ctx.tools), { ...input, actorId: ctx.session.userId }),
      input.withdrawalId,
    );
  }),

  /** Bound to the fence and revision that `list` gave. */
  propose: operatorProcedure.input(resolutionSchema).mutation(async ({ ctx, input }) => {
    const seen = { fence: BigInt(input.fence), revision: BigInt(input.revision) };
    return done(
      await proposeResolution(ctx.tools, { ...input, ...seen, actorId: ctx.session.userId }),
      input.withdrawalId,
    );
  }),

  confirm: operatorProcedure.input(resolutionIdSchema).mutation(async ({ ctx, input }) => {
    const { resolutionId, stepUp } = input;
    return done(await confirmResolution(withKeys(ctx.tools), { resolutionId, ...confirmedBy(ctx, stepUp) }));
  }),
});

/** The database, and the keys that custody signs its statements with. */
function withKeys({ db, room }: ApiTools) {
  return { db, keys: room?.statementKeys ?? [] };
}
