import type { Db, Statement } from '#server/db/database.ts';
import { metrics } from '#server/metrics.ts';
import { findOverview } from '#server/operator/find-overview.ts';
import { findPrevented } from '#server/operator/find-prevented.ts';
import type { RoomTools } from '#server/operator/room-tools.ts';

/**
 * Reads the gauges that stand in the database, for whoever scrapes now. A status that has emptied falls to zero; what could not
 * be counted is not a number, which an alert tells apart from zero.
 */
export async function refreshMetrics(deps: { db: Db; room: RoomTools | undefined }): Promise<void> {
  const set = metrics();
  const [overview, rows, prevented] = await Promise.all([
    findOverview(deps),
    deps.db.query<CountRow>(findCountsSql, []),
    findPrevented(deps),
  ]);
  for (const { status, count, oldestSeconds, overdue } of overview.statuses) {
    set.openWithdrawals.set({ status }, count);
    set.oldestSeconds.set({ status }, oldestSeconds ?? 0);
    set.overLimit.set({ status }, overdue ? 1 : 0);
  }
  set.parked.set(overview.statuses.reduce((sum, { parked }) => sum + parked, 0));
  set.outboxWaiting.set(overview.outbox.waiting);
  set.outboxOldestSeconds.set(overview.outbox.oldestMs / 1000);
  set.inboxWaiting.set(overview.inbox.waiting);
  set.inboxOldestSeconds.set(overview.inbox.oldestMs / 1000);
  set.queueUp.set(overview.queue === null ? 0 : 1);
  for (const [place, count] of Object.entries(overview.queue ?? {})) set.queueJobs.set({ place }, count);
  set.lookUpsFailed.set(rows[0]?.look_ups_failed ?? 0);
  for (const { layer, count } of prevented) {
    set.duplicatesPrevented.set({ layer }, count);
    if (layer === 'repeated_send') set.repeatedSends.set(count);
  }
  set.sendingStopped.reset();
  if (overview.stopped !== null) set.sendingStopped.set({ reason: overview.stopped.reason }, 1);
  set.switchesOpen.set(overview.openSwitches);
  set.casesOpen.set(overview.openCases);
  set.findingsOpen.set(overview.openFindings);
  for (const { networkId: network, silentSeconds, halted } of overview.chains) {
    set.chainSilentSeconds.set({ network }, silentSeconds);
    set.chainHalted.set({ network }, halted === null ? 0 : 1);
  }
  for (const { asset, networkId: network, available } of overview.hot)
    set.hotAvailable.set({ asset, network }, Number(available));
  for (const { name, violations, ageSeconds } of overview.invariants) {
    set.violations.set({ invariant: name }, violations ?? Number.NaN);
    set.checkAgeSeconds.set({ invariant: name }, ageSeconds ?? Number.POSITIVE_INFINITY);
  }
  set.refreshedSeconds.setToCurrentTime();
}

interface CountRow {
  readonly look_ups_failed: number;
}

const findCountsSql: Statement = {
  name: 'find_metric_counts',
  text: `
    select
      (select count(*)::integer from withdrawals w join withdrawal_attempts a on a.withdrawal_id = w.id
        where w.status in ('dispatching', 'in_doubt', 'submitted', 'broadcast') and a.kind = 'look_up' and a.outcome = 'look_up_failed'
          and a.outcome_at > protocol_now() - interval '10 minutes') as look_ups_failed`,
};
