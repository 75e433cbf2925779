import type { CustodyLookUp, CustodyPort } from '#server/custody/custody-port.ts';
import type { Db } from '#server/db/database.ts';
import { logger } from '#server/logger.ts';
import { findControlSql } from '#server/sql/find-control.sql.ts';
import { findSendingStopSql } from '#server/sql/find-sending-stop.sql.ts';
import { resumeSendingSql } from '#server/sql/resume-sending.sql.ts';
import { wakeStoppedWithdrawals } from '#server/withdrawals/wake-stopped-withdrawals.ts';

// Stops that custody itself can lift by answering well again. A stop by people is lifted by people.
const LIFTED_BY_CUSTODY = new Set(['custody_unauthorized', 'custody_forbidden', 'control_not_found']);

const NOBODY = '00000000-0000-4000-8000-000000000000';
// Custody's clock and ours may differ, and we may have learned of the transfer long after it was made.
const WALK_MARGIN_MS = 10 * 60_000;

/**
 * Sending goes on by itself when the reason for its stop is gone: custody takes our key again, or shows again the newest
 * transfer that it ever accepted from us. One question a turn, and only while sending is stopped for such a reason.
 */
export async function resumeSendingWhenWell(deps: { db: Db; custody: CustodyPort }): Promise<{ resumed: boolean }> {
  const [stop] = await deps.db.query<{ reason: string; now: Date }>(findSendingStopSql, []);
  if (stop === undefined || !LIFTED_BY_CUSTODY.has(stop.reason)) return { resumed: false };
  const { provider, account } = deps.custody.site;
  const [newest] = await deps.db.query<Newest>(findControlSql, [provider, account, stop.now]);
  const asked = await askFor(deps, newest, stop.now);
  const isShown = asked.kind === 'found' && asked.transfers.some((one) => one.id === newest?.transfer_id);
  if (asked.kind === 'failed' || (newest !== undefined && !isShown)) return { resumed: false };
  const resumed = await deps.db.query(resumeSendingSql, [stop.reason]);
  if (resumed.length === 0) return { resumed: false };
  const { woken } = await wakeStoppedWithdrawals(deps, { reasons: ['sending_stopped'] });
  logger().warn('sending.resumed', { reason: stop.reason, woken });
  return { resumed: true };
}

interface Newest {
  readonly reference: string;
  readonly transfer_id: string;
  readonly submitted_at: Date;
}

/** In the way that custody can be asked. Without a transfer of ours any question will do: it is only whether we are answered. */
async function askFor(deps: { custody: CustodyPort }, newest: Newest | undefined, now: Date): Promise<CustodyLookUp> {
  const declared = await deps.custody.capabilities();
  if (declared === null) return { kind: 'failed', reason: 'capabilities', custodyClockMs: null };
  if (declared.searchableByReference) return await deps.custody.findByReference(newest?.reference ?? NOBODY);
  const nowMs = now.getTime();
  const fromMs = (newest?.submitted_at.getTime() ?? nowMs) - WALK_MARGIN_MS;
  return await deps.custody.walkTransfers({ fromMs, toMs: nowMs + WALK_MARGIN_MS });
}
