import { verifyPassword } from 'better-auth/crypto';
import { type Refusal, refuse } from '#domain/refusal.ts';
import { countFailure, findLock, forgetFailures, refuseLocked } from '#server/auth/step-up-attempts.ts';
import type { Db, Statement } from '#server/db/database.ts';

/** Whether this is the person's password; asked again before anything that guards their coins is changed. Null: it is. */
export async function checkPassword(
  deps: { db: Db },
  input: { userId: string; password: string },
): Promise<Refusal | null> {
  const lockedUntil = await findLock(deps, input);
  if (lockedUntil !== null) return refuseLocked(lockedUntil);
  const [account] = await deps.db.query<{ password: string }>(findPasswordSql, [input.userId]);
  const isRight = account !== undefined && (await verifyPassword({ hash: account.password, password: input.password }));
  if (isRight) {
    await forgetFailures(deps, input);
    return null;
  }
  const until = await countFailure(deps, input);
  return until === null ? refuse('password_wrong', { fields: ['password'] }) : refuseLocked(until);
}

const findPasswordSql: Statement = {
  name: 'find_password',
  text: `select password from accounts where user_id = $1 and provider_id = 'credential' and password is not null`,
};
