import type { Db, Statement } from '#server/db/database.ts';

/** Asks for a comparison now; whoever asks while one is already waiting waits for the same. A worker takes it within a second. */
export async function askReconciliation(deps: { db: Db }, input: { askedBy: string }): Promise<{ runId: string }> {
  const [run] = await deps.db.query<{ id: string }>(askReconciliationSql, [input.askedBy]);
  if (run === undefined) throw new Error('a run that was asked for');
  return { runId: run.id };
}

const askReconciliationSql: Statement = {
  name: 'ask_reconciliation',
  text: `
    insert into reconciliation_runs (cause, asked_by) values ('demand', $1)
    on conflict (cause) where cause = 'demand' and started_at is null do update set asked_by = reconciliation_runs.asked_by
    returning id`,
};
