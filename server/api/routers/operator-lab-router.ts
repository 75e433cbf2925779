import { z } from 'zod';
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
import { findInvariants } from '#server/operator/find-invariants.ts';
import { findPrevented } from '#server/operator/find-prevented.ts';
import { findWithdrawal } from '#server/withdrawals/find-withdrawals.ts';

/**
 * Outside demo mode nothing of it exists. Each deed is in the audit as asked for, before it is done: what takes the database away could
 * not be written down afterwards.
 */
const labProcedure = operatorProcedure.use(async ({ ctx, next, path, getRawInput }) => {
  const lab = ctx.tools.room?.lab ?? null;
  if (lab === null) throw new RefusalError(refuse('not_found'));
  const asked = auditedInput.safeParse(await getRawInput());
  await appendAudit(ctx.tools, {
    actorId: ctx.session.userId,
    action: `lab.${path.slice(path.lastIndexOf('.') + 1)}`,
    subject: asked.data?.withdrawalId ?? 'demo',
    before: null,
    after: asked.data ?? null,
  });
  return next({ ctx: { lab } });
});
const auditedInput = z.looseObject({ withdrawalId: z.uuid().optional() });

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
    const found = await findWithdrawal(ctx.tools, { withdrawalId: input.withdrawalId, customerId: null });
    if (found.kind !== 'found') throw new RefusalError(refuse('not_found'));
    const answer = await ctx.lab.askStatement(found.withdrawal.idempotencyKey);
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
