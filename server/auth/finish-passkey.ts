import { randomUUID } from 'node:crypto';
import { verifyRegistrationResponse } from '@simplewebauthn/server';
import { type Refusal, refuse } from '#domain/refusal.ts';
import type { Site } from '#server/auth/check-step-up.ts';
import type { PasskeyRegistration } from '#server/auth/step-up-schema.ts';
import { writeRecoveryCodes } from '#server/auth/write-recovery-codes.ts';
import type { Database, Statement } from '#server/db/database.ts';

/**
 * Keeps a passkey that answered our question. Whoever has no recovery codes yet gets some with it, for the day the device is
 * lost. The database freezes withdrawals for a while by itself.
 */
export async function finishPasskey(
  deps: { db: Database; site: Site },
  input: { userId: string; challengeId: string; answer: PasskeyRegistration; label: string },
): Promise<{ kind: 'added'; recoveryCodes: string[] | null } | { kind: 'refused'; refusal: Refusal }> {
  const credential = await readCredential(deps, input);
  if (credential === null) return { kind: 'refused', refusal: refuse('step_up_wrong') };
  const added = await deps.db.transaction(async (tx) => {
    const [spent] = await tx.query(spendSql, [input.challengeId, input.userId]);
    if (spent === undefined) return null;
    const { id, publicKey, counter, transports } = credential;
    const values = [randomUUID(), input.userId, id, Buffer.from(publicKey), counter, transports ?? [], input.label];
    const [row] = await tx.query<{ has_codes: boolean }>(addSql, values);
    if (row === undefined) return null;
    return { recoveryCodes: row.has_codes ? null : await writeRecoveryCodes({ db: tx }, input) };
  });
  return added === null ? { kind: 'refused', refusal: refuse('already_done') } : { kind: 'added', ...added };
}

async function readCredential(deps: { db: Database; site: Site }, input: Parameters<typeof finishPasskey>[1]) {
  const [asked] = await deps.db.query<{ challenge: string }>(findSql, [input.challengeId, input.userId]);
  if (asked === undefined) return null;
  const { origin, hostname } = new URL(deps.site.publicUrl);
  const { transports, ...response } = input.answer.response;
  try {
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: {
        ...input.answer,
        response: { ...response, ...(transports === undefined ? {} : { transports }) },
        type: 'public-key',
        clientExtensionResults: {},
      },
      expectedChallenge: asked.challenge,
      expectedOrigin: origin,
      expectedRPID: hostname,
    });
    return verified ? registrationInfo.credential : null;
  } catch {
    // The library throws at whatever does not fit; to us that is one answer: it is no passkey for this site.
    return null;
  }
}

const findSql: Statement = {
  name: 'find_registration_challenge',
  text: `
    select challenge from step_up_challenges
    where id = $1 and user_id = $2 and purpose = 'registration' and spent_at is null and expires_at > protocol_now()`,
};

const spendSql: Statement = {
  name: 'spend_registration_challenge',
  text: `
    update step_up_challenges set spent_at = protocol_now()
    where id = $1 and user_id = $2 and purpose = 'registration' and spent_at is null returning 1`,
};

const addSql: Statement = {
  name: 'add_passkey',
  text: `
    insert into passkeys (id, user_id, credential_id, public_key, counter, transports, label)
    values ($1, $2, $3, $4, $5, $6, $7) on conflict do nothing
    returning exists (select 1 from recovery_codes c where c.user_id = $2 and c.used_at is null) as has_codes`,
};
