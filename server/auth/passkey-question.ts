import type { PasskeyQuestion } from '#domain/second-factor.ts';
import type { Site } from '#server/auth/check-step-up.ts';
import type { Passkey } from '#server/auth/find-factors.ts';

/** Asks for a signature of one of these passkeys. Written out and not generated: no field is optional on the wire. */
export function passkeyQuestion(input: {
  site: Site;
  passkeys: readonly Passkey[];
  challenge: string;
}): PasskeyQuestion {
  return {
    challenge: input.challenge,
    rpId: new URL(input.site.publicUrl).hostname,
    allowCredentials: input.passkeys.map(({ credentialId, transports }) => ({
      id: credentialId,
      type: 'public-key',
      transports: [...transports],
    })),
    userVerification: 'required',
    timeout: 120_000,
  };
}
