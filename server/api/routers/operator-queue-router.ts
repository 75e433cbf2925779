import { letterListSchema, retrySchema } from '#server/api/operator-schemas.ts';
import { operatorProcedure, router, staffProcedure } from '#server/api/trpc.ts';
import { findDeadLetters } from '#server/operator/find-dead-letters.ts';
import { retryDeadLetter } from '#server/operator/retry-dead-letter.ts';

/** What waits where, and what did not go on by itself. */
export const queuesRouter = router({
  deadLetters: staffProcedure.input(letterListSchema).query(({ ctx, input }) => findDeadLetters(ctx.tools, input)),

  retry: operatorProcedure
    .input(retrySchema)
    .mutation(({ ctx, input }) => retryDeadLetter(ctx.tools, { ...input, actorId: ctx.session.userId })),
});
