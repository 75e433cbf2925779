import type { Site } from '#server/auth/check-step-up.ts';
import type { Passkey } from '#server/auth/find-factors.ts';

/** What a browser is asked to let one of these passkeys sign. Written out and not generated: no field is optional on the wire. */
export function passkeyQuestion(input: { site: Site; passkeys: readonly Passkey[]; challenge: string }) {
  return {
    challenge: input.challenge,
    rpId: new URL(input.site.publicUrl).hostname,
    allowCredentials: input.passkeys.map(({ credentialId, transports }) => ({
      id: credentialId,
      type: 'public-key',
      transports: [...transports],
    })),
    userVerification: 'required' as const,
    timeout: 120_000,
  };
}

export type PasskeyQuestion = ReturnType<typeof passkeyQuestion>;
