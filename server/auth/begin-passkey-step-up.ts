import { randomUUID } from 'node:crypto';
import type { Site } from '#server/auth/check-step-up.ts';
import { findPasskeys } from '#server/auth/find-factors.ts';
import { challengeOf } from '#server/auth/step-up-fingerprint.ts';
import type { Db, Statement } from '#server/db/database.ts';

/** Asks a person's passkeys to sign exactly this request. The question is good for five minutes and one answer. */
export async function beginPasskeyStepUp(deps: { db: Db; site: Site }, input: { userId: string; fingerprint: string }) {
  const passkeys = await findPasskeys(deps, input);
  const challengeId = randomUUID();
  const challenge = challengeOf({ challengeId, fingerprint: input.fingerprint });
  await deps.db.query(keepChallengeSql, [challengeId, input.userId, challenge]);
  // Written out and not generated: each field is meant, and none is optional on the wire.
  const options = {
    challenge,
    rpId: new URL(deps.site.publicUrl).hostname,
    allowCredentials: passkeys.map(({ credentialId, transports }) => ({
      id: credentialId,
      type: 'public-key',
      transports: [...transports],
    })),
    userVerification: 'required' as const,
    timeout: 120_000,
  };
  return { challengeId, options };
}

const keepChallengeSql: Statement = {
  name: 'keep_step_up_challenge',
  text: `
    insert into step_up_challenges (id, user_id, purpose, challenge, expires_at)
    values ($1, $2, 'withdrawal', $3, protocol_now() + interval '5 minutes')`,
};
