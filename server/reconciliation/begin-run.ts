import type { Database, Statement } from '#server/db/database.ts';

// Longer than a walk over a hundred thousand transfers took; a run that died is taken over then.
const LEASE_MS = 15 * 60_000;

export interface BegunRun {
  readonly runId: string;
  readonly cause: 'interval' | 'demand';
}

/**
 * Takes the run that people asked for, or the one whose interval has passed; null when neither is due or another worker has
 * one under way.
 */
export async function beginRun(deps: { db: Database }, input: { intervalMs: number }): Promise<BegunRun | null> {
  return await deps.db.transaction(async (tx) => {
    // One decision at a time: two workers whose interval has passed at once would both begin.
    await tx.query(lockRunsSql, []);
    const [begun] = await tx.query<{ id: string; cause: 'interval' | 'demand' }>(beginRunSql, [
      input.intervalMs,
      LEASE_MS,
    ]);
    return begun === undefined ? null : { runId: begun.id, cause: begun.cause };
  });
}

const lockRunsSql: Statement = { name: 'lock_reconciliation_runs', text: 'select pg_advisory_xact_lock(5210417003)' };

const beginRunSql: Statement = {
  name: 'begin_reconciliation',
  text: `
    with busy as (
      select 1 from reconciliation_runs r where r.ended_at is null and r.lease_until > protocol_now() and r.cause <> 'start'
    ), abandoned as (
      update reconciliation_runs r set ended_at = protocol_now(), outcome = 'failed', reason = 'its worker ended'
      where r.ended_at is null and r.lease_until <= protocol_now()
    ), asked as (
      update reconciliation_runs r set started_at = protocol_now(), lease_until = protocol_now() + $2::float8 * interval '1 millisecond'
      where r.id = (select x.id from reconciliation_runs x where x.cause = 'demand' and x.started_at is null order by x.id limit 1)
        and not exists (select 1 from busy)
      returning r.id, r.cause
    ), due as (
      insert into reconciliation_runs (cause, asked_by, started_at, lease_until)
      select 'interval', 'worker', protocol_now(), protocol_now() + $2::float8 * interval '1 millisecond'
      where not exists (select 1 from busy) and not exists (select 1 from asked)
        and not exists (select 1 from reconciliation_runs r
          where r.started_at > protocol_now() - $1::float8 * interval '1 millisecond' and r.cause <> 'start')
      returning id, cause
    )
    select id, cause from asked union all select id, cause from due`,
};
