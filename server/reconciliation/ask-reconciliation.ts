import { type Refusal, refuse } from '#domain/refusal.ts';
import { appendAudit } from '#server/audit/append-audit.ts';
import { findWrittenDeed } from '#server/audit/find-written-deed.ts';
import type { Database, Statement } from '#server/db/database.ts';

/**
 * Asks for a comparison now; whoever asks while one is already waiting waits for the same. The same form pressed again asks for no
 * other run, though the first has long begun. A worker takes it within a second.
 */
export async function askReconciliation(
  deps: { db: Database },
  input: { actorId: string; deedId: string },
): Promise<{ kind: 'asked'; runId: string } | { kind: 'refused'; refusal: Refusal }> {
  const { actorId, deedId } = input;
  const action = 'reconciliation.ask';
  return await deps.db.transaction(async (tx) => {
    // No row is there to be locked yet: of two presses at once the second waits here until the first is written.
    await tx.query(lockAskingSql, []);
    const known = await findWrittenDeed({ db: tx }, { deedId, actorId, action });
    if (known?.kind === 'same') return { kind: 'asked', runId: known.subject };
    if (known !== null) return { kind: 'refused', refusal: refuse('changed_meanwhile') };
    const [run] = await tx.query<{ id: string }>(askReconciliationSql, [actorId]);
    if (run === undefined) throw new Error('a run that was asked for');
    await appendAudit({ db: tx }, { actorId, action, subject: run.id, before: null, after: null, deedId });
    return { kind: 'asked', runId: run.id };
  });
}

const lockAskingSql: Statement = {
  name: 'lock_asking_for_a_run',
  // The one of whoever begins a run.
  text: 'select pg_advisory_xact_lock(5210417003)',
};

const askReconciliationSql: Statement = {
  name: 'ask_reconciliation',
  text: `
    insert into reconciliation_runs (cause, asked_by) values ('demand', $1)
    on conflict (cause) where cause = 'demand' and started_at is null do update set asked_by = reconciliation_runs.asked_by
    returning id`,
};
