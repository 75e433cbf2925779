import { isRecord } from '#domain/custody-transfer.ts';
import type { CustodyPort, CustodyTransfer } from '#server/custody/custody-port.ts';
import type { Database, Db, Statement } from '#server/db/database.ts';
import { gatherInTransaction } from '#server/db/gather-statements.ts';
import { oneByOne } from '#server/db/one-by-one.ts';
import { reachFaultPoint } from '#server/fault-points.ts';
import { GATHERED_INBOX, gatherEvents, type WaitingEvent } from '#server/inbox/gather-events.ts';
import { logger } from '#server/logger.ts';
import { metrics } from '#server/metrics.ts';
import { backoffMs, type ProtocolTimes } from '#server/protocol-times.ts';
import { endInboxEventSql } from '#server/sql/end-inbox-event.sql.ts';
import { findWaitingEventsSql } from '#server/sql/find-waiting-events.sql.ts';
import { parkInboxEventSql } from '#server/sql/park-inbox-event.sql.ts';
import { takeInboxEventSql } from '#server/sql/take-inbox-event.sql.ts';
import { isTracing, traceStep } from '#server/tracing.ts';
import { applyCustodyEvent } from '#server/withdrawals/apply-custody-event.ts';
import { openContradiction } from '#server/withdrawals/open-contradiction.ts';

export interface InboxDeps {
  readonly db: Database;
  readonly custody: Pick<CustodyPort, 'site' | 'readTransfer'>;
  readonly times: ProtocolTimes;
}

/**
 * Applies stored events whose turn has come, each in the transaction of its mark, so that no crash can apply one twice or lose
 * one. Events of different withdrawals share a transaction and its statements; where one of them fails, each is applied in a
 * transaction of its own. What cannot be placed yet is parked and tried again.
 */
export async function processInbox(
  deps: InboxDeps,
  input: { eventIds?: readonly string[]; limit: number },
): Promise<{ applied: number; parked: number; isFull: boolean }> {
  const { provider } = deps.custody.site;
  const values = [provider, input.eventIds ?? null, input.limit];
  const waiting = await deps.db.query<WaitingEvent>(findWaitingEventsSql, values);
  let applied = 0;
  let parked = 0;
  for (const eventIds of gatherEvents(waiting)) {
    for (const kind of await applySome(deps, provider, eventIds)) {
      if (kind === 'applied') applied += 1;
      if (kind === 'parked') parked += 1;
      if (kind === 'applied') await reachFaultPoint('W3');
    }
  }
  return { applied, parked, isFull: waiting.length >= input.limit };
}

type Applied = 'applied' | 'parked' | 'taken';

interface StoredEvent {
  readonly event_type: string;
  readonly body: Buffer;
  readonly attempts: number;
  readonly age_ms: number;
}

async function applySome(deps: InboxDeps, provider: string, eventIds: readonly string[]): Promise<Applied[]> {
  const [only, second] = eventIds;
  if (only !== undefined && second === undefined) return [await applyOne(deps, provider, only)];
  try {
    return await deps.db.transaction((tx) => applyTogether(deps, tx, { provider, eventIds }));
  } catch (error) {
    // Whatever became of the transaction, the marks know: what is applied is not taken again.
    logger().warn('inbox.taken_apart', { events: eventIds.length, reason: String(error) });
    const applied: Applied[] = [];
    await oneByOne(eventIds, async (eventId) => {
      applied.push(await applyOne(deps, provider, eventId));
    });
    return applied;
  }
}

/** Beside each other in one transaction, so that what they ask at the same time is asked once. Nobody is left behind when it ends. */
async function applyTogether(
  deps: InboxDeps,
  tx: Db,
  { provider, eventIds }: { provider: string; eventIds: readonly string[] },
): Promise<Applied[]> {
  const db = gatherInTransaction(tx, GATHERED_INBOX);
  const settled = await Promise.allSettled(eventIds.map((eventId) => takeAndApply(deps, db, { provider, eventId })));
  return settled.map((one) => {
    if (one.status === 'rejected') throw one.reason;
    return one.value;
  });
}

async function takeAndApply(
  deps: InboxDeps,
  tx: Db,
  { provider, eventId }: { provider: string; eventId: string },
): Promise<Applied> {
  const [event] = await tx.query<StoredEvent>(takeInboxEventSql, [eventId, provider]);
  return event === undefined ? 'taken' : await applyStored(deps, tx, eventId, event);
}

async function applyOne(deps: InboxDeps, provider: string, eventId: string): Promise<Applied> {
  try {
    return await deps.db.transaction((tx) => takeAndApply(deps, tx, { provider, eventId }));
  } catch (error) {
    // One event that cannot be applied must not hold up the others; it stays, and says so.
    logger().error('inbox.event_failed', error, { eventId });
    const reason = error instanceof Error ? error.name : 'unknown';
    await deps.db.query(parkInboxEventSql, [provider, eventId, deps.times.inboxRetryFirstMs, `failed ${reason}`]);
    return 'parked';
  }
}

async function applyStored(deps: InboxDeps, tx: Db, eventId: string, event: StoredEvent): Promise<Applied> {
  const { site } = deps.custody;
  const end = async (outcome: string, reason: string | null): Promise<Applied> => {
    await tx.query(endInboxEventSql, [eventId, site.provider, outcome, reason]);
    return 'applied';
  };
  if (!event.event_type.startsWith('transfer.')) return await end('ignored', 'unknown_type');
  const transfer = readTransfer(deps, event.body);
  if (transfer === null) return await end('unreadable', 'no_transfer');

  const fact = { transfer, site, source: 'webhook', sourceId: eventId, attempt: null } as const;
  const result = await applyCustodyEvent({ db: tx, times: deps.times }, fact);
  if (result.kind === 'unknown_reference') return await parkUnknown(deps, tx, eventId, event, transfer);
  if (isTracing()) await traceEvent(tx, event, transfer, result.kind);
  return await end(result.kind, result.kind === 'contradiction' ? result.reason : null);
}

/** From its arrival to here. The event knows the key of the click, the trace our name of it. */
async function traceEvent(tx: Db, event: StoredEvent, transfer: CustodyTransfer, outcome: string): Promise<void> {
  const [row] = await tx.query<{ id: string }>(findTracedSql, [transfer.externalId]);
  if (row === undefined) return;
  const attributes = { 'event.type': event.event_type, outcome };
  traceStep('withdrawal.webhook', row.id, { startedAtMs: Date.now() - Math.max(0, event.age_ms), attributes });
}

const findTracedSql: Statement = {
  name: 'find_traced_withdrawal',
  text: 'select id from withdrawals where idempotency_key = $1::uuid',
};

/** Early, or about a row that we lost. Tried again for ever, more and more slowly; after a while people hear of it. */
async function parkUnknown(
  deps: InboxDeps,
  tx: Db,
  eventId: string,
  event: StoredEvent,
  transfer: CustodyTransfer,
): Promise<Applied> {
  const { inboxRetryFirstMs, inboxRetryMaxMs, inboxParkedMaxMs } = deps.times;
  const waitMs = backoffMs(inboxRetryFirstMs, inboxRetryMaxMs, event.attempts);
  await tx.query(parkInboxEventSql, [deps.custody.site.provider, eventId, waitMs, 'unknown_reference']);
  if (event.age_ms > inboxParkedMaxMs) {
    const evidence = { eventId, transferId: transfer.id, externalId: transfer.externalId };
    await openContradiction(
      { db: tx },
      { kind: 'transfer_unknown_here', about: transfer.id, withdrawal: null, evidence },
    );
  }
  return 'parked';
}

/** How long ago it happened, by custody's clock and ours: what a lost or late webhook costs, and nothing is decided by it. */
function noteLag(happenedAt: unknown): void {
  const lagMs = typeof happenedAt === 'string' ? Date.now() - Date.parse(happenedAt) : Number.NaN;
  if (Number.isFinite(lagMs)) metrics().webhookLagSeconds.observe(Math.max(0, lagMs) / 1_000);
}

function readTransfer(deps: InboxDeps, body: Buffer): CustodyTransfer | null {
  const parsed: unknown = JSON.parse(body.toString('utf8'));
  if (isRecord(parsed)) noteLag(parsed.timestamp);
  return isRecord(parsed) ? deps.custody.readTransfer(parsed.data) : null;
}
