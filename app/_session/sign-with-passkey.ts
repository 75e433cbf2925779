import type { startAuthentication } from '@simplewebauthn/browser';
import type { SecondFactorAnswer } from '#domain/second-factor.ts';

type PasskeyOptions = Parameters<typeof startAuthentication>[0]['optionsJSON'];
type PasskeyAnswer = Extract<SecondFactorAnswer, { kind: 'passkey' }>['answer'];

/** Lets the person's device sign what the server asks for; null when it was cancelled, timed out, or there is no device. */
export async function signWithPasskey(options: PasskeyOptions): Promise<PasskeyAnswer | null> {
  try {
    // Nearly no press needs it, so no first load carries it.
    const browser = await import('@simplewebauthn/browser');
    const { id, rawId, response } = await browser.startAuthentication({ optionsJSON: options });
    const { clientDataJSON, authenticatorData, signature } = response;
    return { id, rawId, response: { clientDataJSON, authenticatorData, signature } };
  } catch {
    return null;
  }
}
