import { z } from 'zod';
import { deedStepUp } from '#server/api/money-schemas.ts';
import { done } from '#server/api/refusal-to-trpc.ts';
import { operatorProcedure, router, staffProcedure } from '#server/api/trpc.ts';
import { confirmWith } from '#server/auth/confirm-deed.ts';
import { askReconciliation } from '#server/reconciliation/ask-reconciliation.ts';
import { closeDiscrepancy } from '#server/reconciliation/close-discrepancy.ts';
import { confirmEndOfLookUpOnly } from '#server/reconciliation/confirm-end-of-look-up-only.ts';
import { findDiscrepancyPage, findMode, findRuns } from '#server/reconciliation/find-reconciliation.ts';
import { proposeEndOfLookUpOnly } from '#server/reconciliation/propose-end-of-look-up-only.ts';

const limit = z.number().int().min(1).max(100).default(50);
const discrepancyListSchema = z.strictObject({
  cursor: z.uuid().nullable().default(null),
  // The browser's paging hook sends it along; pages only ever go forward.
  direction: z.enum(['forward', 'backward']).optional(),
  limit,
  open: z.boolean().default(true),
});

export const reconciliationRouter = router({
  runs: staffProcedure.input(z.strictObject({ limit })).query(({ ctx, input }) => findRuns(ctx.tools, input)),

  discrepancies: staffProcedure
    .input(discrepancyListSchema)
    .query(({ ctx, input }) => findDiscrepancyPage(ctx.tools, input)),

  /** Whether we pay or only look, and what told us. */
  mode: staffProcedure.query(({ ctx }) => findMode(ctx.tools)),

  runNow: operatorProcedure.mutation(({ ctx }) => askReconciliation(ctx.tools, { askedBy: ctx.session.userId })),

  closeDiscrepancy: operatorProcedure
    .input(z.strictObject({ discrepancyId: z.uuid(), reason: z.string().trim().min(3).max(500) }))
    .mutation(async ({ ctx, input }) => {
      return done(await closeDiscrepancy(ctx.tools, { ...input, actorId: ctx.session.userId }));
    }),

  proposeEndOfLookUpOnly: operatorProcedure.mutation(async ({ ctx }) => {
    return done(await proposeEndOfLookUpOnly(ctx.tools, { actorId: ctx.session.userId }));
  }),

  confirmEndOfLookUpOnly: operatorProcedure.input(z.strictObject(deedStepUp)).mutation(async ({ ctx, input }) => {
    const { userId } = ctx.session;
    const confirm = confirmWith(ctx.site, { userId, stepUp: input.stepUp });
    return done(await confirmEndOfLookUpOnly(ctx.tools, { actorId: userId, confirm }));
  }),
});
