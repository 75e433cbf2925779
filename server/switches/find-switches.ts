import type { Db, Statement } from '#server/db/database.ts';

export interface ShownSwitch {
  switchId: string;
  scope: string;
  target: string;
  reason: string;
  pausedBy: string;
  pausedAt: string;
  resumeProposedBy: string | null;
  resumedBy: string | null;
  resumedAt: string | null;
  /** Claimed before the pause and not yet answered: these may still leave until their not-after. */
  mayStillLeave: number;
}

/** Every open pause, and the last fifty that ended. */
export async function findSwitches(deps: { db: Db }): Promise<readonly ShownSwitch[]> {
  const rows = await deps.db.query<SwitchRow>(findSwitchesSql, []);
  return rows.map((row) => ({
    switchId: row.id,
    scope: row.scope,
    target: row.target,
    reason: row.reason,
    pausedBy: row.paused_by,
    pausedAt: row.paused_at.toISOString(),
    resumeProposedBy: row.resume_proposed_by,
    resumedBy: row.resumed_by,
    resumedAt: row.resumed_at?.toISOString() ?? null,
    mayStillLeave: row.may_still_leave,
  }));
}

interface SwitchRow {
  readonly id: string;
  readonly scope: string;
  readonly target: string;
  readonly reason: string;
  readonly paused_by: string;
  readonly paused_at: Date;
  readonly resume_proposed_by: string | null;
  readonly resumed_by: string | null;
  readonly resumed_at: Date | null;
  readonly may_still_leave: number;
}

const findSwitchesSql: Statement = {
  name: 'find_switches',
  text: `
    select s.id, s.scope, s.target, s.reason, s.paused_by, s.paused_at, s.resume_proposed_by, s.resumed_by, s.resumed_at,
      case when s.resumed_at is not null then 0 else (
        select count(*)::integer from withdrawals w
        where w.status in ('dispatching', 'in_doubt') and (s.scope = 'all' or (s.scope = 'asset' and s.target = w.asset_id)
          or (s.scope = 'network' and s.target = w.network_id) or (s.scope = 'customer' and s.target = w.customer_id::text))
          and exists (select 1 from withdrawal_attempts a where a.withdrawal_id = w.id and a.kind = 'send'
            and coalesce(a.outcome, 'in_doubt') = 'in_doubt' and a.not_after > protocol_now())) end as may_still_leave
    from (
      (select * from switches where resumed_at is null)
      union all (select * from switches where resumed_at is not null order by resumed_at desc limit 50)
    ) s order by s.resumed_at desc nulls first, s.paused_at desc`,
};
