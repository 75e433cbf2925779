import { createHash } from 'node:crypto';
import type { RequestMeaning } from '#domain/idempotency-key.ts';

/** What a request means in money, as a hash: what confirms one request confirms no other. */
export function stepUpFingerprint(meaning: RequestMeaning): string {
  const { asset, network, address, memo, amountMinor, feeMode } = meaning;
  const parts = ['cryptoex withdrawal', asset, network, address, memo, amountMinor.toString(), feeMode];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

/**
 * What a passkey signs for a request: the fingerprint hashed together with the id of this asking, in base64url. Other
 * values give another challenge, and the same values asked again do too.
 */
export function challengeOf(input: { challengeId: string; fingerprint: string }): string {
  return createHash('sha256').update(`${input.challengeId} ${input.fingerprint}`).digest('base64url');
}
