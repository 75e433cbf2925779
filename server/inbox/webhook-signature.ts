import { createHmac, timingSafeEqual } from 'node:crypto';

export interface SignedDelivery {
  readonly eventId: string;
  /** When this delivery was signed, by the sender's clock. */
  readonly signedAt: Date;
}

export type SignatureVerdict =
  | { readonly kind: 'good'; readonly delivery: SignedDelivery }
  | { readonly kind: 'bad'; readonly reason: 'header_missing' | 'header_malformed' | 'no_match' };

// Longer than any signature list during a rotation; a longer header is hostile.
const HEADER_LENGTH_MAX = 1_024;

/**
 * Verifies a delivery by Standard Webhooks over the raw bytes, with any of several secrets, in constant time. It judges no
 * clock: how old a delivery may be is asked of the database, where all such questions are asked.
 */
export function verifyWebhookSignature(input: {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
  readonly secrets: readonly WebhookSecret[];
}): SignatureVerdict {
  const eventId = readHeader(input.headers, 'webhook-id');
  const timestamp = readHeader(input.headers, 'webhook-timestamp');
  const signatures = readHeader(input.headers, 'webhook-signature');
  if (eventId === null || timestamp === null || signatures === null) return { kind: 'bad', reason: 'header_missing' };
  // A dot in the id would let one signed text be read as another.
  if (!/^[A-Za-z0-9_-]{1,128}$/.test(eventId) || !/^[0-9]{1,11}$/.test(timestamp)) {
    return { kind: 'bad', reason: 'header_malformed' };
  }
  const given = signatures.split(' ').flatMap(readSignature);
  const signedText = Buffer.concat([Buffer.from(`${eventId}.${timestamp}.`), input.body]);
  const isGood = input.secrets.some((secret) => {
    const expected = createHmac('sha256', secret.key).update(signedText).digest();
    return given.some((signature) => signature.length === expected.length && timingSafeEqual(signature, expected));
  });
  if (!isGood) return { kind: 'bad', reason: 'no_match' };
  return { kind: 'good', delivery: { eventId, signedAt: new Date(Number.parseInt(timestamp, 10) * 1_000) } };
}

export interface WebhookSecret {
  readonly key: Buffer;
}

/** Reads secrets as they are configured, `whsec_` and base64. @throws Error on one that is malformed or too short to be one */
export function readWebhookSecrets(texts: readonly string[]): readonly WebhookSecret[] {
  return texts
    .map((text) => text.trim())
    .filter((text) => text !== '')
    .map((text) => {
      const encoded = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(text)?.[1];
      const key = encoded === undefined ? null : Buffer.from(encoded, 'base64');
      // 24 bytes is the least that the specification allows.
      if (key === null || key.length < 24)
        throw new Error('a webhook secret is whsec_ and at least 24 bytes in base64');
      return { key };
    });
}

function readSignature(text: string): Buffer[] {
  const encoded = /^v1,([A-Za-z0-9+/]{43}=)$/.exec(text)?.[1];
  return encoded === undefined ? [] : [Buffer.from(encoded, 'base64')];
}

function readHeader(headers: Readonly<Record<string, string | string[] | undefined>>, name: string): string | null {
  const value = headers[name];
  if (typeof value !== 'string' || value === '' || value.length > HEADER_LENGTH_MAX) return null;
  return value;
}
