import { z } from 'zod';
import { refuse } from '#domain/refusal.ts';
import { confirmedBy } from '#server/api/confirmed-by.ts';
import type { ApiTools } from '#server/api/context.ts';
import { deedStepUp } from '#server/api/money-schemas.ts';
import { pressSchema, runListSchema, takingUpIdSchema, takingUpSchema } from '#server/api/operator-schemas.ts';
import { done, RefusalError } from '#server/api/refusal-to-trpc.ts';
import { operatorProcedure, router, staffProcedure } from '#server/api/trpc.ts';
import { confirmTakingUp } from '#server/chain/confirm-taking-up.ts';
import { findHaltedNetworks } from '#server/chain/find-halted-networks.ts';
import { proposeTakingUp } from '#server/chain/propose-taking-up.ts';
import { askReconciliation } from '#server/reconciliation/ask-reconciliation.ts';
import { closeDiscrepancy } from '#server/reconciliation/close-discrepancy.ts';
import { confirmEndOfLookUpOnly } from '#server/reconciliation/confirm-end-of-look-up-only.ts';
import { findDiscrepancyPage, findMode, findRuns } from '#server/reconciliation/find-reconciliation.ts';
import { openCaseOfFinding } from '#server/reconciliation/open-case-of-finding.ts';
import { proposeEndOfLookUpOnly } from '#server/reconciliation/propose-end-of-look-up-only.ts';

const limit = z.number().int().min(1).max(100).default(50);
const discrepancyListSchema = z.strictObject({
  cursor: z.uuid().nullable().default(null),
  // The browser's paging hook sends it along; pages only ever go forward.
  direction: z.enum(['forward', 'backward']).optional(),
  limit,
  open: z.boolean().default(true),
});

const findingSchema = z.strictObject({ discrepancyId: z.uuid(), reason: z.string().trim().min(3).max(500) });

export const reconciliationRouter = router({
  runs: staffProcedure.input(runListSchema).query(({ ctx, input }) => findRuns(ctx.tools, input)),

  discrepancies: staffProcedure
    .input(discrepancyListSchema)
    .query(({ ctx, input }) => findDiscrepancyPage(ctx.tools, input)),

  /** Whether we pay or only look, and what told us. */
  mode: staffProcedure.query(({ ctx }) => findMode(ctx.tools)),

  runNow: operatorProcedure.input(pressSchema).mutation(async ({ ctx, input }) => {
    return done(await askReconciliation(ctx.tools, { ...input, actorId: ctx.session.userId }));
  }),

  closeDiscrepancy: operatorProcedure.input(findingSchema).mutation(async ({ ctx, input }) => {
    return done(await closeDiscrepancy(ctx.tools, { ...input, actorId: ctx.session.userId }));
  }),

  openCase: operatorProcedure.input(findingSchema).mutation(async ({ ctx, input }) => {
    return done(await openCaseOfFinding(ctx.tools, { ...input, actorId: ctx.session.userId }));
  }),

  proposeEndOfLookUpOnly: operatorProcedure.input(pressSchema).mutation(async ({ ctx, input }) => {
    return done(await proposeEndOfLookUpOnly(ctx.tools, { ...input, actorId: ctx.session.userId }));
  }),

  confirmEndOfLookUpOnly: operatorProcedure.input(z.strictObject(deedStepUp)).mutation(async ({ ctx, input }) => {
    return done(await confirmEndOfLookUpOnly(ctx.tools, { ...confirmedBy(ctx, input.stepUp) }));
  }),

  /** The networks that are read no further, and what was proposed about them. */
  halted: staffProcedure.query(({ ctx }) => findHaltedNetworks({ db: ctx.tools.db, room: ctx.tools.room })),

  proposeTakingUp: operatorProcedure.input(takingUpSchema).mutation(async ({ ctx, input }) => {
    const chain = chainOf(ctx.tools, input.networkId).port;
    return done(await proposeTakingUp({ db: ctx.tools.db, chain }, { ...input, actorId: ctx.session.userId }));
  }),

  confirmTakingUp: operatorProcedure.input(takingUpIdSchema).mutation(async ({ ctx, input }) => {
    const { resumptionId, stepUp } = input;
    const deps = { db: ctx.tools.db, chains: ctx.tools.room?.chains ?? [] };
    return done(await confirmTakingUp(deps, { resumptionId, ...confirmedBy(ctx, stepUp) }));
  }),
});

/** Its node has to be asked; a network without one is never halted, because nobody reads it. */
function chainOf({ room }: ApiTools, networkId: string) {
  const chain = room?.chains?.find((one) => one.networkId === networkId);
  if (chain === undefined) throw new RefusalError(refuse('not_found'));
  return chain;
}
