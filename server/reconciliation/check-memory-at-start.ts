import type { CustodyPort } from '#server/custody/custody-port.ts';
import type { Database, Statement } from '#server/db/database.ts';
import type { ProtocolTimes } from '#server/protocol-times.ts';
import { runReconciliation } from '#server/reconciliation/run-reconciliation.ts';

/**
 * Whether our memory may be used: custody's list is walked before anything is claimed. `failed`: it could not be, and
 * nothing is claimed until it can.
 *
 * @returns the life of the database in which it was walked; a restore behind the walk ends it
 */
export async function checkMemoryAtStart(deps: {
  db: Database;
  custody: CustodyPort;
  times: ProtocolTimes;
}): Promise<{ kind: 'walked'; life: string } | { kind: 'failed' }> {
  const [run] = await deps.db.query<{ id: string; life: string }>(beginStartRunSql, []);
  if (run === undefined) throw new Error('a run that was begun');
  const { outcome } = await runReconciliation(deps, { runId: run.id, windowMs: deps.times.memoryWindowMs });
  return outcome === 'failed' ? { kind: 'failed' } : { kind: 'walked', life: run.life };
}

const beginStartRunSql: Statement = {
  name: 'begin_start_reconciliation',
  text: `insert into reconciliation_runs (cause, asked_by, started_at, lease_until)
    values ('start', 'worker', protocol_now(), protocol_now() + interval '15 minutes') returning id, server_life() as life`,
};
