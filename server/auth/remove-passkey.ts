import { type Refusal, refuse } from '#domain/refusal.ts';
import { checkPassword } from '#server/auth/check-password.ts';
import type { Db, Statement } from '#server/db/database.ts';

/** Takes a passkey away. Withdrawals are frozen for a while by the database. */
export async function removePasskey(
  deps: { db: Db },
  input: { userId: string; passkeyId: string; password: string },
): Promise<{ kind: 'removed' } | { kind: 'refused'; refusal: Refusal }> {
  const refusal = await checkPassword(deps, input);
  if (refusal !== null) return { kind: 'refused', refusal };
  const [row] = await deps.db.query(removeSql, [input.passkeyId, input.userId]);
  return row === undefined ? { kind: 'refused', refusal: refuse('not_found') } : { kind: 'removed' };
}

const removeSql: Statement = {
  name: 'remove_passkey',
  text: 'delete from passkeys where id = $1 and user_id = $2 returning 1',
};
