import type { Db, Statement } from '#server/db/database.ts';

/** What a second factor opens: a session, or a deed of somebody who is signed in. */
export type SecondFactorPurpose = 'sign_in' | 'security';

/** Whose second factor a question is about, and what a passkey signs for it; null when it is over. */
export async function findFactorChallenge(
  deps: { db: Db },
  input: { challengeId: string; purpose: SecondFactorPurpose },
): Promise<{ userId: string; challenge: string } | null> {
  const values = [input.challengeId, input.purpose];
  const [row] = await deps.db.query<{ user_id: string; challenge: string }>(findSql, values);
  return row === undefined ? null : { userId: row.user_id, challenge: row.challenge };
}

const findSql: Statement = {
  name: 'find_factor_challenge',
  text: `
    select user_id, challenge from step_up_challenges
    where id = $1 and purpose = $2 and spent_at is null and expires_at > protocol_now()`,
};
