import { verifyAuthenticationResponse } from '@simplewebauthn/server';
import { findPasskeys } from '#server/auth/find-factors.ts';
import type { PasskeyAnswer } from '#server/auth/step-up-schema.ts';
import type { Db, Statement } from '#server/db/database.ts';

/** Whether one of this person's devices signed exactly this challenge for our site, with its person present and verified. */
export async function checkPasskeyAnswer(
  deps: { db: Db; site: { readonly publicUrl: string } },
  input: { userId: string; answer: PasskeyAnswer; challenge: string },
): Promise<boolean> {
  const { answer, challenge } = input;
  const passkey = (await findPasskeys(deps, input)).find(({ credentialId }) => credentialId === answer.id);
  if (passkey === undefined) return false;
  const { origin, hostname } = new URL(deps.site.publicUrl);
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: { ...answer, type: 'public-key', clientExtensionResults: {} },
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: hostname,
      credential: {
        id: passkey.credentialId,
        publicKey: new Uint8Array(passkey.publicKey),
        counter: passkey.counter,
        transports: [...passkey.transports],
      },
    });
    if (verified) await deps.db.query(noteUseSql, [passkey.passkeyId, authenticationInfo.newCounter]);
    return verified;
  } catch {
    // The library throws at whatever does not fit; to us that is one answer: it does not confirm.
    return false;
  }
}

const noteUseSql: Statement = {
  name: 'note_passkey_use',
  text: 'update passkeys set last_used_at = protocol_now(), counter = greatest(counter, $2::bigint) where id = $1',
};
