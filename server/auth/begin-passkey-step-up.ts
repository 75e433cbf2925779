import { randomUUID } from 'node:crypto';
import type { Site } from '#server/auth/check-step-up.ts';
import { findPasskeys } from '#server/auth/find-factors.ts';
import { passkeyQuestion } from '#server/auth/passkey-question.ts';
import { challengeOf } from '#server/auth/step-up-fingerprint.ts';
import type { Db, Statement } from '#server/db/database.ts';

/** Asks a person's passkeys to sign exactly this request, or this deed. The question is good for five minutes and one answer. */
export async function beginPasskeyStepUp(
  deps: { db: Db; site: Site },
  input: { userId: string; fingerprint: string; purpose?: 'withdrawal' | 'deed' },
) {
  const passkeys = await findPasskeys(deps, input);
  const challengeId = randomUUID();
  const challenge = challengeOf({ challengeId, fingerprint: input.fingerprint });
  await deps.db.query(keepChallengeSql, [challengeId, input.userId, input.purpose ?? 'withdrawal', challenge]);
  return { challengeId, options: passkeyQuestion({ site: deps.site, passkeys, challenge }) };
}

const keepChallengeSql: Statement = {
  name: 'keep_step_up_challenge',
  text: `
    insert into step_up_challenges (id, user_id, purpose, challenge, expires_at)
    values ($1, $2, $3, $4, protocol_now() + interval '5 minutes')`,
};
