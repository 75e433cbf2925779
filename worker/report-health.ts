import type { Statement } from '#server/db/database.ts';
import { findInboxBacklog } from '#server/inbox/find-inbox-backlog.ts';
import { findOutboxBacklog } from '#server/outbox/find-outbox-backlog.ts';
import { findJobBacklog } from '#server/queue/find-job-backlog.ts';
import { isQueueWritable } from '#server/queue/is-queue-writable.ts';
import type { HealthReport } from './health-server.ts';
import type { QueueWorker } from './processors/withdrawal-worker.ts';
import type { Loop } from './run-loop.ts';
import type { WorkerTools } from './worker-tools.ts';

// A turn may wait for a whole time-out of custody; a loop silent for longer than this is stuck.
const LOOP_SILENCE_MAX_MS = 120_000;

/**
 * How this worker is. Ready: the database answers and every loop has turned lately. Redis is told but not asked for: without it
 * the queue waits and everything else goes on. Writable: the database takes writes, and the queue takes jobs and is taken from.
 */
export async function reportHealth(
  tools: Pick<WorkerTools, 'db' | 'queue'>,
  running: { loops: readonly Loop[]; worker: QueueWorker | null },
): Promise<HealthReport> {
  const [row] = await tools.db.query<{ writable: boolean }>(isWritableSql, []).catch(() => []);
  const parts: Record<string, string> = { database: row === undefined ? 'unreachable' : 'answers' };
  let allTurn = true;
  for (const loop of running.loops) {
    const turns = loop.sinceLastTurnMs() < LOOP_SILENCE_MAX_MS;
    allTurn &&= turns;
    parts[loop.name] = turns ? 'turns' : 'silent';
  }
  if (row !== undefined) Object.assign(parts, await describeBacklogs(tools));
  const queue = running.worker === null ? null : await describeQueue(tools, running.worker);
  if (queue !== null) parts.queue = queue;
  return {
    isReady: row !== undefined && allTurn,
    isWritable: row?.writable === true && (queue === null || queue === 'taken'),
    parts,
  };
}

/** A Redis that is full answers, and yet nothing can be put into the queue or taken from it. */
async function describeQueue(tools: Pick<WorkerTools, 'queue'>, worker: QueueWorker): Promise<string> {
  if (!worker.isTaking()) return 'unreachable';
  return (await isQueueWritable(tools)) ? 'taken' : 'takes no writes';
}

/** What waits where, in words. */
async function describeBacklogs(tools: Pick<WorkerTools, 'db' | 'queue'>): Promise<Record<string, string>> {
  const [outbox, inbox, jobs] = await Promise.all([
    findOutboxBacklog(tools),
    findInboxBacklog(tools),
    findJobBacklog(tools),
  ]);
  return {
    outboxBacklog: `${outbox.waiting} waiting, the oldest for ${Math.round(outbox.oldestMs)} ms`,
    inboxBacklog: `${inbox.waiting} waiting, ${inbox.parked} of them parked, the oldest for ${Math.round(inbox.oldestMs)} ms`,
    jobs: jobs === null ? 'unknown' : `${jobs.waiting} waiting, ${jobs.active} active, ${jobs.failed} failed`,
  };
}

const isWritableSql: Statement = {
  name: 'worker_is_writable',
  text: `select not pg_is_in_recovery() and current_setting('transaction_read_only') = 'off' as writable`,
};
