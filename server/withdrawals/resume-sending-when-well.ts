import type { CustodyPort } from '#server/custody/custody-port.ts';
import type { Db } from '#server/db/database.ts';
import { logger } from '#server/logger.ts';
import { findControlSql } from '#server/sql/find-control.sql.ts';
import { findSendingStopSql } from '#server/sql/find-sending-stop.sql.ts';
import { resumeSendingSql } from '#server/sql/resume-sending.sql.ts';
import { wakeStoppedWithdrawals } from '#server/withdrawals/wake-stopped-withdrawals.ts';

// Stops that custody itself can lift by answering well again. A stop by people is lifted by people.
const LIFTED_BY_CUSTODY = new Set(['custody_unauthorized', 'custody_forbidden', 'control_not_found']);

/**
 * Sending goes on by itself when the reason for its stop is gone: custody takes our key again, or shows again the newest
 * transfer that it ever accepted from us. One question a turn, and only while sending is stopped for such a reason.
 */
export async function resumeSendingWhenWell(deps: { db: Db; custody: CustodyPort }): Promise<{ resumed: boolean }> {
  const [stop] = await deps.db.query<{ reason: string; now: Date }>(findSendingStopSql, []);
  if (stop === undefined || !LIFTED_BY_CUSTODY.has(stop.reason)) return { resumed: false };
  const { provider, account } = deps.custody.site;
  const [newest] = await deps.db.query<{ reference: string; transfer_id: string }>(findControlSql, [
    provider,
    account,
    stop.now,
  ]);
  // Without a transfer of ours any reference will do: the question is only whether we are answered.
  const asked = await deps.custody.findByReference(newest?.reference ?? '00000000-0000-4000-8000-000000000000');
  const isShown = asked.kind === 'found' && asked.transfers.some((one) => one.id === newest?.transfer_id);
  if (asked.kind === 'failed' || (newest !== undefined && !isShown)) return { resumed: false };
  const resumed = await deps.db.query(resumeSendingSql, [stop.reason]);
  if (resumed.length === 0) return { resumed: false };
  const { woken } = await wakeStoppedWithdrawals(deps, { reasons: ['sending_stopped'] });
  logger().warn('sending.resumed', { reason: stop.reason, woken });
  return { resumed: true };
}
