import { type Refusal, refuse } from '#domain/refusal.ts';
import { appendAudit } from '#server/audit/append-audit.ts';
import { readCustodyStatement, type StatementKey } from '#server/custody/read-custody-statement.ts';
import type { Database, Statement } from '#server/db/database.ts';

/**
 * Attaches custody's signed statement to what it may end, a parked doubt or a transfer that is parked at custody: it is new evidence, so whatever was proposed before has to be proposed anew.
 * Nothing is released by it. The bytes are kept as they were signed, and attaching them again changes nothing.
 */
export async function attachStatement(
  deps: { db: Database; keys: readonly StatementKey[] },
  input: { statementId: string; withdrawalId: string; body: string; signature: string; actorId: string },
): Promise<{ kind: 'attached' | 'already_attached' } | { kind: 'refused'; refusal: Refusal }> {
  const { statementId, withdrawalId, body, signature, actorId } = input;
  const read = readCustodyStatement(deps.keys, { body, signature });
  if (read.kind !== 'read') return refused(WHY[read.kind]);
  const { says, externalId, signedAt, keySha256 } = read.statement;
  return await deps.db.transaction(async (tx) => {
    const [row] = await tx.query<{ key: string; late: boolean }>(lockSql, [withdrawalId, signedAt, says]);
    if (row === undefined) return refused(NOTHING_TO_END[says]);
    if (row.key !== externalId) return refused('It is about another reference.');
    if (row.late) return refused('It is dated ahead of our own clock.');
    const values = [statementId, withdrawalId, body, signature, keySha256, signedAt, actorId];
    const attached = await tx.query(attachSql, values);
    if (attached.length === 0) return { kind: 'already_attached' };
    await tx.query(raiseRevisionSql, [withdrawalId]);
    const after = { statementId, signedAt: signedAt.toISOString(), keySha256 };
    const action = 'withdrawal.attach_statement';
    await appendAudit({ db: tx }, { actorId, action, subject: withdrawalId, before: null, after });
    return { kind: 'attached' };
  });
}

const NOTHING_TO_END = {
  no_transfer: 'It is not parked in doubt: there is nothing to end by such a statement.',
  never_paid: 'It is not parked at custody: there is nothing to end by such a statement.',
};

const WHY = {
  not_signed: 'No key of custody’s signed these bytes.',
  says_something_else: 'It does not say that nothing was made or paid under this reference, and that nothing will be.',
};

function refused(detail: string): { kind: 'refused'; refusal: Refusal } {
  return { kind: 'refused', refusal: refuse('changed_meanwhile', { detail }) };
}

const lockSql: Statement = {
  name: 'lock_for_statement',
  text: `
    select w.idempotency_key as key, $2::timestamptz > protocol_now() + interval '5 minutes' as late from withdrawals w
    where w.id = $1 and w.parked_at is not null
      and w.status = any (case $3 when 'no_transfer' then '{in_doubt}'::text[] else '{submitted,broadcast}'::text[] end) for update`,
};

const attachSql: Statement = {
  name: 'attach_statement',
  text: `
    insert into custody_statements (id, withdrawal_id, body, signature, key_sha256, signed_at, attached_by)
    values ($1, $2, $3, $4, $5, $6, $7) on conflict do nothing returning id`,
};

const raiseRevisionSql: Statement = {
  name: 'raise_revision_for_statement',
  text: 'update withdrawals set revision = revision + 1 where id = $1',
};
