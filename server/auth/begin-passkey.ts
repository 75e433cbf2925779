import { randomUUID } from 'node:crypto';
import { generateRegistrationOptions } from '@simplewebauthn/server';
import { isoUint8Array } from '@simplewebauthn/server/helpers';
import type { Refusal } from '#domain/refusal.ts';
import { checkPassword } from '#server/auth/check-password.ts';
import type { Site } from '#server/auth/check-step-up.ts';
import { findPasskeys } from '#server/auth/find-factors.ts';
import type { Db, Statement } from '#server/db/database.ts';

type Options = Awaited<ReturnType<typeof generateRegistrationOptions>>;

/** Asks the browser for a new passkey. The question is good for five minutes and one answer. */
export async function beginPasskey(
  deps: { db: Db; site: Site },
  input: { userId: string; email: string; name: string; password: string },
): Promise<{ kind: 'begun'; challengeId: string; options: Options } | { kind: 'refused'; refusal: Refusal }> {
  const refusal = await checkPassword(deps, input);
  if (refusal !== null) return { kind: 'refused', refusal };
  const known = await findPasskeys(deps, input);
  const options = await generateRegistrationOptions({
    rpName: 'CryptoEx',
    rpID: new URL(deps.site.publicUrl).hostname,
    userID: isoUint8Array.fromUTF8String(input.userId),
    userName: input.email,
    userDisplayName: input.name,
    attestationType: 'none',
    excludeCredentials: known.map(({ credentialId }) => ({ id: credentialId })),
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'required' },
  });
  const challengeId = randomUUID();
  await deps.db.query(keepSql, [challengeId, input.userId, options.challenge]);
  return { kind: 'begun', challengeId, options };
}

const keepSql: Statement = {
  name: 'keep_registration_challenge',
  text: `
    insert into step_up_challenges (id, user_id, purpose, challenge, expires_at)
    values ($1, $2, 'registration', $3, protocol_now() + interval '5 minutes')`,
};
