import { appendAudit } from '#server/audit/append-audit.ts';
import type { Database, Statement } from '#server/db/database.ts';

/** Asks for a comparison now; whoever asks while one is already waiting waits for the same. A worker takes it within a second. */
export async function askReconciliation(
  deps: { db: Database },
  input: { askedBy: string },
): Promise<{ runId: string }> {
  const { askedBy: actorId } = input;
  return await deps.db.transaction(async (tx) => {
    const [run] = await tx.query<{ id: string }>(askReconciliationSql, [actorId]);
    if (run === undefined) throw new Error('a run that was asked for');
    const entry = { actorId, action: 'reconciliation.ask', subject: run.id, before: null, after: null };
    await appendAudit({ db: tx }, entry);
    return { runId: run.id };
  });
}

const askReconciliationSql: Statement = {
  name: 'ask_reconciliation',
  text: `
    insert into reconciliation_runs (cause, asked_by) values ('demand', $1)
    on conflict (cause) where cause = 'demand' and started_at is null do update set asked_by = reconciliation_runs.asked_by
    returning id`,
};
