import { type ParsedKey, parseIdempotencyKey, parseKeyHeader } from '#domain/idempotency-key.ts';
import { type Refusal, refuse } from '#domain/refusal.ts';
import type { IdempotencyKey } from '#domain/withdrawal.ts';

/**
 * The key of a request, from its header or, for clients that cannot set one, from its body. Two different keys are
 * refused: nobody may guess which of them was meant.
 */
export function readRequestKey(
  header: string | readonly string[] | undefined,
  body: unknown,
): { kind: 'ok'; key: IdempotencyKey } | { kind: 'refused'; refusal: Refusal } {
  const inHeader = parseKeyHeader(header);
  const inBody = readBodyKey(body);
  if (inHeader.kind === 'missing') return inBody === null ? missing() : toAnswer(inBody);
  if (inHeader.kind === 'ok' && inBody !== null && (inBody.kind !== 'ok' || inBody.key !== inHeader.key)) {
    return { kind: 'refused', refusal: refuse('idempotency_key_conflicting', { fields: ['idempotencyKey'] }) };
  }
  return toAnswer(inHeader);
}

function readBodyKey(body: unknown): ParsedKey | null {
  if (typeof body !== 'object' || body === null || !('idempotencyKey' in body)) return null;
  const { idempotencyKey } = body;
  return typeof idempotencyKey === 'string'
    ? parseIdempotencyKey(idempotencyKey)
    : { kind: 'malformed', reason: 'not_a_uuid' };
}

function toAnswer(parsed: ParsedKey): ReturnType<typeof readRequestKey> {
  if (parsed.kind === 'ok') return { kind: 'ok', key: parsed.key };
  return { kind: 'refused', refusal: refuse('idempotency_key_malformed', { fields: ['idempotencyKey'] }) };
}

function missing(): ReturnType<typeof readRequestKey> {
  return { kind: 'refused', refusal: refuse('idempotency_key_missing') };
}
