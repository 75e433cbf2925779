import { type IdempotencyKey, isUuidText, toIdempotencyKey } from '#domain/withdrawal.ts';
import type { FeeMode } from '#domain/withdrawal-fee.ts';

export type MalformedKeyReason =
  | 'empty'
  | 'too_long'
  | 'not_ascii'
  | 'two_values'
  | 'not_a_uuid'
  | 'version_not_accepted'
  | 'published_example';

export type ParsedKey =
  | { readonly kind: 'ok'; readonly key: IdempotencyKey }
  | { readonly kind: 'malformed'; readonly reason: MalformedKeyReason };

/**
 * Keys that stand in specifications and manuals, and are pasted from there by more than one person. A key is for ever and
 * unique over all customers: the first who copied one would own it.
 */
const PUBLISHED_EXAMPLES: ReadonlySet<string> = new Set([
  '00000000-0000-4000-8000-000000000000', // the nil UUID dressed as version 4
  '00000000-0000-7000-8000-000000000000',
  'ffffffff-ffff-4fff-bfff-ffffffffffff',
  'ffffffff-ffff-7fff-bfff-ffffffffffff',
  '919108f7-52d1-4320-9bac-f847db4148a8', // RFC 9562, version 4
  '017f22e2-79b0-7cc3-98c4-dc0c0c07398f', // RFC 9562, version 7
  '8e03978e-40d5-43e8-bc93-6894a57f9324', // the Idempotency-Key header's draft
  '550e8400-e29b-41d4-a716-446655440000', // encyclopaedias
  'f47ac10b-58cc-4372-a567-0e02b2c3d479',
  '3fa85f64-5717-4562-b3fc-2c963f66afa6', // generated API forms
  '36b8f84d-df4e-4d49-b662-bcde71a8764f', // browser manuals
  '9b1deb4d-3b7d-4bad-9bdd-2b0d7b3dcb6d', // package manuals
  '1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed',
  '109156be-c4fb-41ea-b1b4-efe1671c5836',
  '10ba038e-48da-487b-96e8-8d3b99b6d18a',
  '6ec0bd7f-11c0-43da-975e-2a8ad9ebae0b',
  '110ec58a-a0f2-4ac4-8393-c866d813b8d1',
]);

/** A UUID has 36 characters; quoted it has 38. Anything longer is refused unread. */
const KEY_TEXT_LENGTH_MAX = 64;

/** Reads a key: a UUID of version 4 or 7, in any letter case, kept in lower case. */
export function parseIdempotencyKey(text: string): ParsedKey {
  if (text === '') return { kind: 'malformed', reason: 'empty' };
  if (text.length > KEY_TEXT_LENGTH_MAX) return { kind: 'malformed', reason: 'too_long' };
  if (!/^[\x20-\x7e]*$/.test(text)) return { kind: 'malformed', reason: 'not_ascii' };
  const lower = text.toLowerCase();
  if (!isUuidText(lower)) return { kind: 'malformed', reason: 'not_a_uuid' };
  if (!/^.{14}[47].{4}[89ab]/.test(lower)) return { kind: 'malformed', reason: 'version_not_accepted' };
  if (PUBLISHED_EXAMPLES.has(lower)) return { kind: 'malformed', reason: 'published_example' };
  return { kind: 'ok', key: toIdempotencyKey(lower) };
}

/**
 * Reads the `Idempotency-Key` header as the server got it: a structured string in double quotes, or bare. The same key
 * sent twice is two values: nobody may guess which of them was meant.
 */
export function parseKeyHeader(raw: string | readonly string[] | undefined): ParsedKey | { readonly kind: 'missing' } {
  if (raw === undefined) return { kind: 'missing' };
  const values = typeof raw === 'string' ? [raw] : raw;
  const [only] = values;
  if (only === undefined) return { kind: 'missing' };
  // A server joins repeated headers with a comma, which no UUID holds.
  if (values.length > 1 || only.includes(',')) return { kind: 'malformed', reason: 'two_values' };
  const trimmed = only.replace(/^[ \t]+|[ \t]+$/g, '');
  const quoted = /^"([^"\\]*)"$/.exec(trimmed);
  return parseIdempotencyKey(quoted?.[1] ?? trimmed);
}

/** What a request means in money, and nothing else: letter case, spelling of numbers and key order are gone by here. */
export interface RequestMeaning {
  readonly asset: string;
  readonly network: string;
  /** In the canonical form of its network family. */
  readonly address: string;
  readonly memo: string | null;
  /** What was asked for, before the fee. */
  readonly amountMinor: bigint;
  readonly feeMode: FeeMode;
}

export type MeaningField = keyof RequestMeaning;

const MEANING_FIELDS: readonly MeaningField[] = ['asset', 'network', 'address', 'memo', 'amountMinor', 'feeMode'];

/** Compares two requests under one key, field by field, and names the fields that differ. */
export function sameMeaning(
  first: RequestMeaning,
  second: RequestMeaning,
): { readonly same: true } | { readonly same: false; readonly fields: readonly MeaningField[] } {
  const fields = MEANING_FIELDS.filter((field) => first[field] !== second[field]);
  return fields.length === 0 ? { same: true } : { same: false, fields };
}
