import { formatAmount, fromMinorText } from '#domain/money.ts';
import type { WithdrawalStatus } from '#domain/withdrawal.ts';
import { WITHDRAWAL_STATUSES } from '#domain/withdrawal.ts';
import type { Db, Statement } from '#server/db/database.ts';
import { findInboxBacklog } from '#server/inbox/find-inbox-backlog.ts';
import { findInvariants, type ShownInvariant } from '#server/operator/find-invariants.ts';
import type { RoomTools } from '#server/operator/room-tools.ts';
import { findOutboxBacklog } from '#server/outbox/find-outbox-backlog.ts';
import { findJobBacklog } from '#server/queue/find-job-backlog.ts';
import { ageLimitSeconds } from '#server/withdrawals/status-age-limit.ts';

export interface OpenStatus {
  status: WithdrawalStatus;
  count: number;
  parked: number;
  /** Of the oldest that is not parked; null where there is none. */
  oldestSeconds: number | null;
  limitSeconds: number | null;
  overdue: boolean;
}

export interface Overview {
  asOf: string;
  /** Why nothing is sent at all; null when sending is allowed. */
  stopped: { reason: string; since: string | null } | null;
  statuses: OpenStatus[];
  ended24h: { completed: number; failed: number; cancelled: number; rejected: number; refused: number };
  approvalsWaiting: number;
  openCases: number;
  /** Findings of the comparisons of books that nobody has closed. */
  openFindings: number;
  openSwitches: number;
  /** How long the oldest of each has waited for people; null where there is none. */
  oldestSeconds: { parked: number | null; cases: number | null; findings: number | null; switches: number | null };
  outbox: { waiting: number; oldestMs: number };
  inbox: { waiting: number; parked: number; oldestMs: number };
  /** Null where Redis does not answer. */
  queue: { waiting: number; active: number; delayed: number; failed: number } | null;
  custodyAnswers: boolean;
  /** Networks by the name that people know and, for machines, by id. */
  chains: { networkId: string; network: string; block: string; silentSeconds: number; halted: string | null }[];
  hot: { asset: string; networkId: string; network: string; available: string; ageSeconds: number }[];
  invariants: ShownInvariant[];
}

/** Everything that tells within five seconds whether something is wrong. Each part reads a small index, whatever the history. */
export async function findOverview(deps: { db: Db; room: RoomTools | undefined }): Promise<Overview> {
  const { db, room } = deps;
  const [open, [house], chains, hot, ended, outbox, inbox, invariants, queue, custodyAnswers] = await Promise.all([
    db.query<OpenRow>(findOpenStatusesSql, []),
    db.query<HouseRow>(findHouseSql, []),
    db.query<ChainRow>(findChainsSql, []),
    db.query<HotRow>(findHotSql, []),
    db.query<{ status: string; count: number }>(findEndedSql, []),
    findOutboxBacklog(deps),
    findInboxBacklog(deps),
    findInvariants(deps),
    room?.queue ? findJobBacklog({ queue: room.queue }) : null,
    room?.custodyAnswers() ?? false,
  ]);
  const endedOf = (status: string) => ended.find((row) => row.status === status)?.count ?? 0;
  const stopReason = house?.stop_reason ?? null;
  return {
    asOf: (house?.now ?? new Date(0)).toISOString(),
    stopped: stopReason === null ? null : { reason: stopReason, since: house?.stop_since?.toISOString() ?? null },
    statuses: toStatuses(open),
    ended24h: {
      completed: endedOf('completed'),
      failed: endedOf('failed'),
      cancelled: endedOf('cancelled'),
      rejected: endedOf('rejected'),
      refused: endedOf('refused'),
    },
    approvalsWaiting: open.find((row) => row.status === 'awaiting_approval')?.count ?? 0,
    openCases: house?.open_cases ?? 0,
    openFindings: house?.open_findings ?? 0,
    openSwitches: house?.open_switches ?? 0,
    oldestSeconds: {
      parked: house?.parked_seconds ?? null,
      cases: house?.cases_seconds ?? null,
      findings: house?.findings_seconds ?? null,
      switches: house?.switches_seconds ?? null,
    },
    outbox,
    inbox,
    queue,
    custodyAnswers,
    chains: chains.map((row) => ({
      networkId: row.network_id,
      network: row.network_name,
      block: row.block_number,
      silentSeconds: row.silent_seconds,
      halted: row.halt_reason,
    })),
    hot: hot.map((row) => ({
      asset: row.asset_id,
      networkId: row.network_id,
      network: row.network_name,
      available: formatAmount(fromMinorText(row.available_minor), row.decimals),
      ageSeconds: row.age_seconds,
    })),
    invariants,
  };
}

function toStatuses(rows: readonly OpenRow[]): OpenStatus[] {
  return WITHDRAWAL_STATUSES.flatMap((status) => {
    const limitSeconds = ageLimitSeconds({ status, parked: false });
    // What has ended has no age to watch.
    if (limitSeconds === null) return [];
    const row = rows.find((one) => one.status === status);
    const oldestSeconds = row?.oldest_seconds ?? null;
    return {
      status,
      count: row?.count ?? 0,
      parked: row?.parked ?? 0,
      oldestSeconds,
      limitSeconds,
      overdue: oldestSeconds !== null && oldestSeconds > limitSeconds,
    };
  });
}

interface OpenRow {
  readonly status: string;
  readonly count: number;
  readonly parked: number;
  readonly oldest_seconds: number | null;
}
interface HouseRow {
  readonly now: Date;
  readonly stop_reason: string | null;
  readonly stop_since: Date | null;
  readonly open_cases: number;
  readonly open_findings: number;
  readonly open_switches: number;
  readonly parked_seconds: number | null;
  readonly cases_seconds: number | null;
  readonly findings_seconds: number | null;
  readonly switches_seconds: number | null;
}
interface ChainRow {
  readonly network_id: string;
  readonly network_name: string;
  readonly block_number: string;
  readonly silent_seconds: number;
  readonly halt_reason: string | null;
}
interface HotRow {
  readonly asset_id: string;
  readonly network_id: string;
  readonly network_name: string;
  readonly available_minor: string;
  readonly decimals: number;
  readonly age_seconds: number;
}

const findOpenStatusesSql: Statement = {
  name: 'find_open_statuses',
  text: `
    select w.status, count(*)::integer as count, count(w.parked_at)::integer as parked,
      extract(epoch from protocol_now() - min(w.status_since) filter (where w.parked_at is null))::float8 as oldest_seconds
    from withdrawals w where w.status not in ('completed', 'failed', 'cancelled', 'rejected', 'refused') group by 1`,
};

const findHouseSql: Statement = {
  name: 'find_house',
  text: `
    select protocol_now() as now, case when s.mode <> 'normal' then coalesce(s.mode_reason, s.mode) else s.sending_stopped_reason end as stop_reason,
      case when s.mode <> 'normal' then s.mode_since else s.sending_stopped_at end as stop_since,
      (select count(*)::integer from cases c where c.closed_at is null) as open_cases,
      (select count(*)::integer from reconciliation_discrepancies f where f.closed_at is null) as open_findings,
      (select count(*)::integer from switches x where x.resumed_at is null) as open_switches,
      (select extract(epoch from protocol_now() - min(w.parked_at))::float8 from withdrawals w where w.parked_at is not null) as parked_seconds,
      (select extract(epoch from protocol_now() - min(c.opened_at))::float8 from cases c where c.closed_at is null) as cases_seconds,
      (select extract(epoch from protocol_now() - min(f.opened_at))::float8 from reconciliation_discrepancies f where f.closed_at is null) as findings_seconds,
      (select extract(epoch from protocol_now() - min(x.paused_at))::float8 from switches x where x.resumed_at is null) as switches_seconds
    from protocol_settings s`,
};

const findChainsSql: Statement = {
  name: 'find_chains',
  text: `
    select c.network_id, n.name as network_name, c.block_number, extract(epoch from protocol_now() - c.updated_at)::float8 as silent_seconds,
      case when c.halted_at is not null then coalesce(c.halt_reason, 'halted') end as halt_reason
    from chain_cursors c join networks n on n.id = c.network_id order by 1`,
};

const findHotSql: Statement = {
  name: 'find_hot_balances',
  text: `
    select h.asset_id, h.network_id, n.name as network_name, h.available_minor, a.decimals, extract(epoch from protocol_now() - h.read_at)::float8 as age_seconds
    from hot_balances h join assets a on a.id = h.asset_id join networks n on n.id = h.network_id order by 1, 2`,
};

const findEndedSql: Statement = {
  name: 'find_ended_lately',
  text: `
    select w.status, count(*)::integer as count from withdrawals w
    where w.ended_at > protocol_now() - interval '24 hours' and w.refusal_code is distinct from 'given_up' group by 1`,
};
