import type { z } from 'zod';
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
import { appendAudit } from '#server/audit/append-audit.ts';
import type { Db } from '#server/db/database.ts';
import { findInvariants } from '#server/operator/find-invariants.ts';
import { findPrevented } from '#server/operator/find-prevented.ts';
import { findWithdrawal } from '#server/withdrawals/find-withdrawals.ts';

/** Outside demo mode nothing of it exists. */
const labProcedure = operatorProcedure.use(({ ctx, next }) => {
  const lab = ctx.tools.room?.lab ?? null;
  if (lab === null) throw new RefusalError(refuse('not_found'));
  return next({ ctx: { lab } });
});

/**
 * A deed of the lab. It is in the audit as asked for, before it is done: what takes the database away could not be written down
 * afterwards.
 */
const labOrder = <Asked extends Readonly<Record<string, unknown>>>(schema: z.ZodType<Asked>) =>
  labProcedure.input(schema).use(async ({ ctx, next, path, input }) => {
    await writeDown(ctx, path, input);
    return next();
  });
const labPress = labProcedure.use(async ({ ctx, next, path }) => {
  await writeDown(ctx, path, null);
  return next();
});

async function writeDown(
  ctx: { tools: { db: Db }; session: { userId: string } },
  path: string,
  after: Readonly<Record<string, unknown>> | null,
): Promise<void> {
  const action = `lab.${path.slice(path.lastIndexOf('.') + 1)}`;
  const subject = String(after?.withdrawalId ?? 'demo');
  await appendAudit(ctx.tools, { actorId: ctx.session.userId, action, subject, before: null, after });
}

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

  setFault: labOrder(labFaultSchema).mutation(async ({ ctx, input }) => {
    await ctx.lab.setFault(input);
    return { kind: 'set' as const };
  }),
  clearFaults: labPress.mutation(async ({ ctx }) => {
    await ctx.lab.clearFaults();
    return { kind: 'cleared' as const };
  }),
  reorgChain: labOrder(labReorgSchema).mutation(async ({ ctx, input }) => {
    await ctx.lab.reorgChain(input.depth);
    return { kind: 'reorged' as const };
  }),
  flushRedis: labPress.mutation(async ({ ctx }) => {
    await ctx.lab.flushRedis();
    return { kind: 'flushed' as const };
  }),
  pauseQueue: labOrder(labPauseSchema).mutation(async ({ ctx, input }) => {
    await ctx.lab.pauseQueue(input.paused);
    return { kind: input.paused ? ('paused' as const) : ('resumed' as const) };
  }),
  beginOutage: labOrder(labOutageSchema).mutation(async ({ ctx, input }) => {
    const { until } = await ctx.lab.beginOutage(input);
    return { kind: 'away' as const, until };
  }),
  endSessions: labPress.mutation(async ({ ctx }) => {
    await ctx.lab.endSessions();
    return { kind: 'ended' as const };
  }),
  killWorker: labPress.mutation(async ({ ctx }) => {
    await ctx.lab.killWorker();
    return { kind: 'killed' as const };
  }),
  startWorker: labPress.mutation(async ({ ctx }) => {
    await ctx.lab.startWorker();
    return { kind: 'started' as const };
  }),
  /** Only asks: whoever reads the answer attaches it, as they would a letter. */
  askStatement: labOrder(withdrawalIdSchema).mutation(async ({ ctx, input }) => {
    const found = await findWithdrawal(ctx.tools, { withdrawalId: input.withdrawalId, customerId: null });
    if (found.kind !== 'found') throw new RefusalError(refuse('not_found'));
    const answer = await ctx.lab.askStatement(found.withdrawal.idempotencyKey);
    if (answer.kind === 'signed') return answer;
    const detail = 'Custody signs nothing: there is a transfer under this reference. Look it up.';
    throw new RefusalError(refuse('changed_meanwhile', { detail }), input.withdrawalId);
  }),
  startTraffic: labOrder(labTrafficSchema).mutation(async ({ ctx, input }) => {
    await ctx.lab.startTraffic(input);
    return { kind: 'started' as const };
  }),
  stopTraffic: labPress.mutation(({ ctx }) => {
    ctx.lab.stopTraffic();
    return { kind: 'stopped' as const };
  }),
});
