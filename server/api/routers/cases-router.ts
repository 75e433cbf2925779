import { confirmedBy } from '#server/api/confirmed-by.ts';
import { caseCloseSchema, caseIdSchema, caseListSchema } from '#server/api/operator-schemas.ts';
import { done } from '#server/api/refusal-to-trpc.ts';
import { operatorProcedure, router, staffProcedure } from '#server/api/trpc.ts';
import { confirmCaseClose } from '#server/operator/confirm-case-close.ts';
import { findCases } from '#server/operator/find-cases.ts';
import { proposeCaseClose } from '#server/operator/propose-case-close.ts';

/** Contradictions that no machine explains: two people close them. */
export const casesRouter = router({
  list: staffProcedure.input(caseListSchema).query(({ ctx, input }) => findCases(ctx.tools, input)),

  proposeClose: operatorProcedure.input(caseCloseSchema).mutation(async ({ ctx, input }) => {
    const revision = BigInt(input.revision);
    return done(await proposeCaseClose(ctx.tools, { ...input, revision, actorId: ctx.session.userId }));
  }),

  confirmClose: operatorProcedure.input(caseIdSchema).mutation(async ({ ctx, input }) => {
    return done(await confirmCaseClose(ctx.tools, { caseId: input.caseId, ...confirmedBy(ctx, input.stepUp) }));
  }),
});
