import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { findFactorChallenge } from '#server/auth/find-factor-challenge.ts';
import type { Database, Db, Statement } from '#server/db/database.ts';

/** Writes to the person in the transaction that it is given. */
export type TellOfReset = (
  deps: { db: Db },
  notice: { kind: 'second_factor_reset'; subjectId: string; userId: string; data: Record<string, string> },
) => Promise<void>;

/** The hash under which the link of a reset is kept. */
export function hashResetToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/**
 * Sends whoever knows the password, but has no second factor at hand, a link that begins the wait for a reset. The link goes to
 * the mailbox and nowhere else; a wait that has begun is not begun anew.
 *
 * @returns `expired` when the question of the sign-in page is over
 */
export async function askFactorReset(
  deps: { db: Database; publicUrl: string; tell: TellOfReset },
  input: { challengeId: string },
): Promise<'sent' | 'waits_already' | 'expired'> {
  const asked = await findFactorChallenge(deps, { ...input, purpose: 'sign_in' });
  if (asked === null) return 'expired';
  const { userId } = asked;
  const resetId = randomUUID();
  const token = randomBytes(32).toString('base64url');
  return deps.db.transaction(async (tx) => {
    await tx.query(replaceSql, [userId]);
    const [row] = await tx.query(keepSql, [resetId, userId, hashResetToken(token)]);
    if (row === undefined) return 'waits_already';
    const url = `${deps.publicUrl}/lost-second-factor?token=${token}`;
    await deps.tell({ db: tx }, { kind: 'second_factor_reset', subjectId: resetId, userId, data: { url } });
    return 'sent';
  });
}

const replaceSql: Statement = {
  name: 'replace_factor_reset',
  text: `
    update second_factor_resets set ended_at = protocol_now(), ended_by = 'replaced'
    where user_id = $1 and ended_at is null and started_at is null`,
};

const keepSql: Statement = {
  name: 'keep_factor_reset',
  text: `
    insert into second_factor_resets (id, user_id, token_sha256) values ($1, $2, $3)
    on conflict (user_id) where ended_at is null do nothing returning 1`,
};
