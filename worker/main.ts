import { join } from 'node:path';
import { readChains } from '#server/chain/read-chains.ts';
import { createCustodyBreaker } from '#server/custody/custody-breaker.ts';
import { checkDatabase } from '#server/db/check-database.ts';
import { gatherStatements } from '#server/db/gather-statements.ts';
import { dependencies } from '#server/dependencies.ts';
import { readEnv } from '#server/env.ts';
import { armFaultPoints } from '#server/fault-points.ts';
import { logger } from '#server/logger.ts';
import { createMailboxMailer } from '#server/notifications/mailbox-mailer.ts';
import type { Mailer } from '#server/notifications/mailer.ts';
import { createSmtpMailer } from '#server/notifications/smtp-mailer.ts';
import { answerMetrics } from '#server/operator/answer-metrics.ts';
import { refreshMetrics } from '#server/operator/refresh-metrics.ts';
import { requireNoEviction } from '#server/queue/redis-connection.ts';
import { withDeadline } from '#server/queue/with-deadline.ts';
import { createWithdrawalClaims } from '#server/queue/withdrawal-claim.ts';
import { startTracingTo } from '#server/tracing.ts';
import { GATHERED_DISPATCH } from '#server/withdrawals/gathered-dispatch.ts';
import { requireFitCustody } from '#server/withdrawals/require-fit-custody.ts';
import { startHealthServer } from './health-server.ts';
import { startBreakerLoop } from './loops/breaker-loop.ts';
import { startChainIndexerLoop } from './loops/chain-indexer-loop.ts';
import { startInDoubtResolverLoop } from './loops/in-doubt-resolver-loop.ts';
import { startInboxLoop } from './loops/inbox-loop.ts';
import { startInvariantLoop } from './loops/invariant-loop.ts';
import { startLedgerVerifierLoop } from './loops/ledger-verifier-loop.ts';
import { startMemoryGateLoop } from './loops/memory-gate-loop.ts';
import { startNotificationLoop } from './loops/notification-loop.ts';
import { startOutboxRelayLoop } from './loops/outbox-relay-loop.ts';
import { startPriceFeederLoop } from './loops/price-feeder-loop.ts';
import { startReconciliationLoop } from './loops/reconciliation-loop.ts';
import { startSweeperLoop } from './loops/sweeper-loop.ts';
import { type QueueWorker, startWithdrawalWorker } from './processors/withdrawal-worker.ts';
import { readParts } from './read-parts.ts';
import { reportHealth } from './report-health.ts';
import type { Loop } from './run-loop.ts';
import { shutDownOnSignal } from './shutdown.ts';
import type { WorkerTools } from './worker-tools.ts';

// True for this file and for its bundle in a build folder: both stand one step below the root.
const ROOT = join(import.meta.dirname, '..');

const env = readEnv();
const parts = readParts(process.argv.slice(2));
armFaultPoints({ text: env.faultPoints, file: env.faultPointsFile, allowed: env.demoMode });
const stopTracing =
  env.otlpEndpoint === null ? null : await startTracingTo({ service: 'cryptoex-worker', endpoint: env.otlpEndpoint });
const deps = dependencies();
logger().info('worker.starting', { parts: [...parts], times: env.protocolTimes });
const problems = await checkDatabase(deps, { migrationsFolder: join(ROOT, 'prisma', 'migrations') });
if (problems.length > 0) throw new Error(problems.join('; '));

const tools: WorkerTools = {
  // Jobs run side by side: what they ask for at the same time goes in one statement.
  db: gatherStatements(deps.db, GATHERED_DISPATCH),
  queue: deps.queue,
  custody: deps.custody,
  times: deps.times,
  claims: createWithdrawalClaims(deps.queue.redis, deps.times),
  breaker: createCustodyBreaker(deps.times),
  chains: await readChains(deps, env),
};
await requireFitCustody(tools);
await refuseEvictingRedis();

const loops: Loop[] = [];
const start = (loop: Loop) => {
  loops.push(loop);
  return loop;
};
const relay = parts.has('outbox') ? start(startOutboxRelayLoop(tools)) : null;
if (parts.has('sweeper')) start(startSweeperLoop(tools, () => relay?.nudge()));
if (parts.has('inbox')) start(startInboxLoop(tools));
// A loop each, so that one network's trouble holds up no other.
if (parts.has('indexer')) for (const chain of tools.chains) start(startChainIndexerLoop(tools, chain));
if (parts.has('ledger')) {
  const verifier = startLedgerVerifierLoop(tools);
  start(verifier);
  start(startBreakerLoop(tools, verifier));
}
if (parts.has('invariants')) start(startInvariantLoop(tools));
if (parts.has('prices') && env.demoMode) start(startPriceFeederLoop(tools));
const mailer = parts.has('notifications') ? createMailer() : null;
if (mailer !== null) start(startNotificationLoop({ db: tools.db, mailer }));
let worker: QueueWorker | null = null;
if (parts.has('withdrawals') || parts.has('resolver') || parts.has('reconciliation')) {
  start(startMemoryGateLoop(tools, { onOpen: startSending }));
}
const health =
  env.workerHealthPort === null
    ? null
    : startHealthServer({
        port: env.workerHealthPort,
        report: () => reportHealth(tools, { loops, worker }),
        answerMetrics: (call) => answerMetrics({ refresh: refreshGauges, token: env.metricsToken }, call),
      });
logger().info('worker.ready', { loops: loops.map((loop) => loop.name), takesJobs: parts.has('withdrawals') });

shutDownOnSignal({
  graceMs: tools.times.shutdownGraceMs,
  close: async () => {
    // A second is kept for closing what the work needed.
    const finishMs = tools.times.shutdownGraceMs - 1_000;
    await Promise.all([
      worker?.stop(finishMs),
      ...loops.map((loop) => withDeadline(loop.stop(), finishMs, loop.name).catch(() => undefined)),
    ]);
    mailer?.close();
    health?.close();
    health?.closeAllConnections();
    await deps.close();
    await stopTracing?.();
  },
});

/** What sends, or decides whether to send, begins when our memory is known to be no older than the world. */
function startSending({ life }: { life: string }): void {
  if (parts.has('resolver')) start(startInDoubtResolverLoop(tools));
  if (parts.has('reconciliation')) start(startReconciliationLoop(tools, { life }));
  if (parts.has('withdrawals')) worker = startWithdrawalWorker(tools, { redisUrl: env.redisUrl });
}

function refreshGauges(): Promise<void> {
  const custodyAnswers = async () => (await tools.custody.capabilities()) !== null;
  return refreshMetrics({ db: tools.db, room: { queue: tools.queue, custodyAnswers, lab: null } });
}

/** By SMTP where there is a server, into the demo's mailbox in the demo; elsewhere notices wait until there is one. */
function createMailer(): Mailer | null {
  if (env.smtpUrl !== null) return createSmtpMailer({ url: env.smtpUrl });
  return env.demoMode ? createMailboxMailer(deps) : null;
}

/** At start if Redis answers, else as soon as it does: a Redis that may drop keys is not worked with. */
async function refuseEvictingRedis(): Promise<void> {
  const { redis } = tools.queue;
  redis.on('ready', () => {
    requireNoEviction(redis).catch((error: unknown) => {
      if (redis.status !== 'ready') return;
      logger().error('redis.refused', error);
      process.exit(1);
    });
  });
  // Redis down is no reason not to start: the resolver and the inbox work without it.
  if (redis.status === 'ready') await requireNoEviction(redis);
}
