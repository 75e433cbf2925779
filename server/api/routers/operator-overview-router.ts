import { refuse } from '#domain/refusal.ts';
import { flowSchema } from '#server/api/operator-schemas.ts';
import { RefusalError } from '#server/api/refusal-to-trpc.ts';
import { operatorListSchema, withdrawalIdSchema } from '#server/api/schemas.ts';
import { router, staffProcedure } from '#server/api/trpc.ts';
import { csvText } from '#server/operator/csv-text.ts';
import { findBooks } from '#server/operator/find-books.ts';
import { findFlow } from '#server/operator/find-flow.ts';
import { findOverview } from '#server/operator/find-overview.ts';
import { findPrevented } from '#server/operator/find-prevented.ts';
import { findAllWithdrawals } from '#server/withdrawals/find-all-withdrawals.ts';

// A spreadsheet of more is nobody's to read; filters make it less.
const EXPORT_MAX = 5_000;
const COLUMNS = [
  'withdrawalId',
  'requestedAt',
  'status',
  'customerEmail',
  'asset',
  'network',
  'amount',
  'attempts',
  'ageSeconds',
  'ageLimitSeconds',
  'overdue',
  'parkedReason',
  'waitReason',
  'transactionHash',
] as const;

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

  exportWithdrawals: staffProcedure.input(operatorListSchema).query(async ({ ctx, input }) => {
    const { status: statuses, search, sort, cursor } = input;
    const catalogue = await ctx.tools.catalogue.read();
    const { items } = await findAllWithdrawals(ctx.tools, {
      cursor,
      statuses,
      search,
      sort,
      catalogue,
      limit: EXPORT_MAX,
    });
    return { csv: csvText(COLUMNS, items), rows: items.length, complete: items.length < EXPORT_MAX };
  }),
});
