import { refuse } from '#domain/refusal.ts';
import {
  labFaultSchema,
  labOutageSchema,
  labPauseSchema,
  labReorgSchema,
  labTrafficSchema,
} from '#server/api/operator-schemas.ts';
import { RefusalError } from '#server/api/refusal-to-trpc.ts';
import { withdrawalIdSchema } from '#server/api/schemas.ts';
import { operatorProcedure, router, staffProcedure } from '#server/api/trpc.ts';
import type { Statement } from '#server/db/database.ts';
import { findInvariants } from '#server/operator/find-invariants.ts';
import { findPrevented } from '#server/operator/find-prevented.ts';

/** Outside demo mode nothing of it exists. */
const labProcedure = operatorProcedure.use(({ ctx, next }) => {
  const lab = ctx.tools.room?.lab ?? null;
  if (lab === null) throw new RefusalError(refuse('not_found'));
  return next({ ctx: { lab } });
});

const findReferenceSql: Statement = {
  name: 'find_reference_for_statement',
  text: 'select w.idempotency_key as key from withdrawals w where w.id = $1',
};

/** Breaks the demo on purpose, beside the counters that say what came of it. */
export const labRouter = router({
  report: staffProcedure.query(async ({ ctx }) => {
    const lab = ctx.tools.room?.lab ?? null;
    if (lab === null) throw new RefusalError(refuse('not_found'));
    const [report, invariants, prevented] = await Promise.all([
      lab.report(),
      findInvariants(ctx.tools),
      findPrevented(ctx.tools),
    ]);
    return { ...report, invariants, prevented };
  }),

  setFault: labProcedure.input(labFaultSchema).mutation(async ({ ctx, input }) => {
    await ctx.lab.setFault(input);
    return { kind: 'set' as const };
  }),
  clearFaults: labProcedure.mutation(async ({ ctx }) => {
    await ctx.lab.clearFaults();
    return { kind: 'cleared' as const };
  }),
  reorgChain: labProcedure.input(labReorgSchema).mutation(async ({ ctx, input }) => {
    await ctx.lab.reorgChain(input.depth);
    return { kind: 'reorged' as const };
  }),
  flushRedis: labProcedure.mutation(async ({ ctx }) => {
    await ctx.lab.flushRedis();
    return { kind: 'flushed' as const };
  }),
  pauseQueue: labProcedure.input(labPauseSchema).mutation(async ({ ctx, input }) => {
    await ctx.lab.pauseQueue(input.paused);
    return { kind: input.paused ? ('paused' as const) : ('resumed' as const) };
  }),
  beginOutage: labProcedure.input(labOutageSchema).mutation(async ({ ctx, input }) => {
    const { until } = await ctx.lab.beginOutage(input);
    return { kind: 'away' as const, until };
  }),
  endSessions: labProcedure.mutation(async ({ ctx }) => {
    await ctx.lab.endSessions();
    return { kind: 'ended' as const };
  }),
  killWorker: labProcedure.mutation(async ({ ctx }) => {
    await ctx.lab.killWorker();
    return { kind: 'killed' as const };
  }),
  startWorker: labProcedure.mutation(async ({ ctx }) => {
    await ctx.lab.startWorker();
    return { kind: 'started' as const };
  }),
  /** Only asks: whoever reads the answer attaches it, as they would a letter. */
  askStatement: labProcedure.input(withdrawalIdSchema).mutation(async ({ ctx, input }) => {
    const [row] = await ctx.tools.db.query<{ key: string }>(findReferenceSql, [input.withdrawalId]);
    if (row === undefined) throw new RefusalError(refuse('not_found'));
    const answer = await ctx.lab.askStatement(row.key);
    if (answer.kind === 'signed') return answer;
    const detail = 'Custody signs nothing: there is a transfer under this reference. Look it up.';
    throw new RefusalError(refuse('changed_meanwhile', { detail }), input.withdrawalId);
  }),
  startTraffic: labProcedure.input(labTrafficSchema).mutation(async ({ ctx, input }) => {
    await ctx.lab.startTraffic(input);
    return { kind: 'started' as const };
  }),
  stopTraffic: labProcedure.mutation(({ ctx }) => {
    ctx.lab.stopTraffic();
    return { kind: 'stopped' as const };
  }),
});
