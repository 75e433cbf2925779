import type { Db, Statement } from '#server/db/database.ts';

export const FLOW_SPANS = ['hour', 'day'] as const;
export type FlowSpan = (typeof FLOW_SPANS)[number];

export interface FlowPoint {
  at: string;
  requests: number;
  completions: number;
  failures: number;
  /** From the click, or from acceptance where no click was told, until custody had it; in milliseconds. */
  p50Ms: number | null;
  p95Ms: number | null;
}

// Sixty points an hour and forty-eight a day are what a chart of this width can show.
const STEP_SECONDS: Readonly<Record<FlowSpan, number>> = { hour: 60, day: 1_800 };
const SPAN_SECONDS: Readonly<Record<FlowSpan, number>> = { hour: 3_600, day: 86_400 };

/** Requests, completions, failures and how long sending took, over the last hour or day. */
export async function findFlow(deps: { db: Db }, input: { span: FlowSpan }): Promise<FlowPoint[]> {
  const values = [STEP_SECONDS[input.span], SPAN_SECONDS[input.span]];
  const rows = await deps.db.query<FlowRow>(findFlowSql, values);
  return rows.map((row) => ({
    at: row.at.toISOString(),
    requests: row.requests,
    completions: row.completions,
    failures: row.failures,
    p50Ms: row.p50 === null ? null : Math.round(row.p50),
    p95Ms: row.p95 === null ? null : Math.round(row.p95),
  }));
}

interface FlowRow {
  readonly at: Date;
  readonly requests: number;
  readonly completions: number;
  readonly failures: number;
  readonly p50: number | null;
  readonly p95: number | null;
}

/** $1 seconds a point, $2 seconds in all. A click of another clock, hours off, says nothing and is left out. */
const findFlowSql: Statement = {
  name: 'find_flow',
  text: `
    with span as (
      select to_timestamp(floor(extract(epoch from protocol_now()) / $1::integer) * $1::integer) as last, $1::integer as step, $2::integer as length
    ), came as (
      select floor(extract(epoch from w.requested_at) / s.step)::bigint as slot, count(*)::integer as requests
      from span s, withdrawals w
      where w.requested_at > s.last - s.length * interval '1 second' and w.refusal_code is distinct from 'given_up' group by 1
    ), ended as (
      select floor(extract(epoch from w.ended_at) / s.step)::bigint as slot, count(*) filter (where w.status = 'completed')::integer as completions,
        count(*) filter (where w.status = 'failed')::integer as failures
      from span s, withdrawals w where w.ended_at > s.last - s.length * interval '1 second' group by 1
    ), sent as (
      select floor(extract(epoch from w.submitted_at) / s.step)::bigint as slot,
        percentile_cont(array[0.5, 0.95]) within group (order by extract(epoch from w.submitted_at - case
          when w.clicked_at between w.requested_at - interval '1 hour' and w.submitted_at then w.clicked_at else w.requested_at end) * 1000) as took
      from span s, withdrawals w where w.submitted_at > s.last - s.length * interval '1 second' group by 1
    )
    select p.at, coalesce(c.requests, 0) as requests, coalesce(e.completions, 0) as completions, coalesce(e.failures, 0) as failures,
      t.took[1]::float8 as p50, t.took[2]::float8 as p95
    from span s cross join generate_series(s.last - s.length * interval '1 second', s.last, s.step * interval '1 second') as p(at)
    left join came c on c.slot = floor(extract(epoch from p.at) / s.step)::bigint
    left join ended e on e.slot = floor(extract(epoch from p.at) / s.step)::bigint
    left join sent t on t.slot = floor(extract(epoch from p.at) / s.step)::bigint
    order by 1`,
};
