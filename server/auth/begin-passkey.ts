import { randomUUID } from 'node:crypto';
import { generateRegistrationOptions } from '@simplewebauthn/server';
import { isoUint8Array } from '@simplewebauthn/server/helpers';
import { checkPassword } from '#server/auth/check-password.ts';
import type { Site } from '#server/auth/check-step-up.ts';
import { findPasskeys } from '#server/auth/find-factors.ts';
import type { Db, Statement } from '#server/db/database.ts';

/** Asks the browser for a new passkey. The question is good for five minutes and one answer. */
export async function beginPasskey(
  deps: { db: Db; site: Site },
  input: { userId: string; email: string; name: string; password: string },
) {
  const refusal = await checkPassword(deps, input);
  if (refusal !== null) return { kind: 'refused' as const, refusal };
  const known = await findPasskeys(deps, input);
  const hostname = new URL(deps.site.publicUrl).hostname;
  const asked = {
    rp: { name: 'CryptoEx', id: hostname },
    excludeCredentials: known.map(({ credentialId }) => ({ id: credentialId, type: 'public-key' })),
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'required' },
    attestation: 'none',
    timeout: 120_000,
  } as const;
  const { challenge, user, pubKeyCredParams } = await generateRegistrationOptions({
    rpName: asked.rp.name,
    rpID: hostname,
    userID: isoUint8Array.fromUTF8String(input.userId),
    userName: input.email,
    userDisplayName: input.name,
  });
  const challengeId = randomUUID();
  await deps.db.query(keepSql, [challengeId, input.userId, challenge]);
  return { kind: 'begun' as const, challengeId, options: { challenge, user, pubKeyCredParams, ...asked } };
}

const keepSql: Statement = {
  name: 'keep_registration_challenge',
  text: `
    insert into step_up_challenges (id, user_id, purpose, challenge, expires_at)
    values ($1, $2, 'registration', $3, protocol_now() + interval '5 minutes')`,
};
