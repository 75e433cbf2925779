import { refuse } from '#domain/refusal.ts';
import { flowSchema } from '#server/api/operator-schemas.ts';
import { RefusalError } from '#server/api/refusal-to-trpc.ts';
import { withdrawalIdSchema } from '#server/api/schemas.ts';
import { router, staffProcedure } from '#server/api/trpc.ts';
import { findBooks } from '#server/operator/find-books.ts';
import { findFlow } from '#server/operator/find-flow.ts';
import { findOverview } from '#server/operator/find-overview.ts';
import { findPrevented } from '#server/operator/find-prevented.ts';

/** What is going on, for whoever is on duty. */
export const overviewRouter = router({
  show: staffProcedure.query(({ ctx }) => findOverview({ db: ctx.tools.db, room: ctx.tools.room })),

  flow: staffProcedure.input(flowSchema).query(async ({ ctx, input }) => ({
    points: await findFlow(ctx.tools, input),
    prevented: await findPrevented(ctx.tools),
  })),

  books: staffProcedure.input(withdrawalIdSchema).query(async ({ ctx, input }) => {
    const books = await findBooks(ctx.tools, input);
    if (books === null) throw new RefusalError(refuse('not_found'));
    return books;
  }),
});
