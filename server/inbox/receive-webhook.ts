import { createHash } from 'node:crypto';
import { isRecord } from '#domain/custody-transfer.ts';
import { isUuidText } from '#domain/withdrawal.ts';
import type { Db } from '#server/db/database.ts';
import { reachFaultPoint } from '#server/fault-points.ts';
import { verifyWebhookSignature, type WebhookSecret } from '#server/inbox/webhook-signature.ts';
import { logger } from '#server/logger.ts';
import type { ProtocolTimes } from '#server/protocol-times.ts';
import { storeInboxEventSql } from '#server/sql/store-inbox-event.sql.ts';

export type WebhookReceipt =
  /** Stored and committed, or it had been: the sender may forget it. */
  | { readonly kind: 'stored' | 'duplicate'; readonly eventId: string }
  /** The same id with other bytes. Kept apart, alarmed, and never applied. */
  | { readonly kind: 'conflict'; readonly eventId: string }
  /** Not the sender's, or not of this time: nothing is stored. */
  | { readonly kind: 'bad_signature' | 'stale'; readonly reason: string };

/**
 * Takes one delivery: verify over the raw bytes, store once, commit. Applying it comes later. When the database does not
 * answer this throws, so that the door answers 5xx and the sender tries again.
 *
 * @throws DatabaseError
 */
export async function receiveWebhook(
  deps: {
    db: Db;
    secrets: readonly WebhookSecret[];
    provider: string;
    times: Pick<ProtocolTimes, 'webhookToleranceMs'>;
  },
  input: { headers: Readonly<Record<string, string | string[] | undefined>>; body: Buffer },
): Promise<WebhookReceipt> {
  const verdict = verifyWebhookSignature({ ...input, secrets: deps.secrets });
  if (verdict.kind === 'bad') return { kind: 'bad_signature', reason: verdict.reason };
  await reachFaultPoint('W1');
  const { eventId, signedAt } = verdict.delivery;
  const { type, reference } = readEnvelope(input.body);
  const bodySha256 = createHash('sha256').update(input.body).digest('hex');
  const values = [
    eventId,
    deps.provider,
    type,
    reference,
    input.body,
    bodySha256,
    signedAt,
    deps.times.webhookToleranceMs,
  ];
  const outcome = (await storeOnce(deps.db, values)) ?? (await storeOnce(deps.db, values));
  await reachFaultPoint('W2');
  if (outcome === 'stale') return { kind: 'stale', reason: 'outside_tolerance' };
  if (outcome === 'stored' || outcome === 'duplicate') return { kind: outcome, eventId };
  if (outcome === 'conflict') {
    logger().error('webhook.conflict', new Error('the same event id brought another body'), { eventId, bodySha256 });
    return { kind: 'conflict', eventId };
  }
  throw new Error('an event is neither stored nor known');
}

/** Null when a twin was storing the same event in that moment. */
async function storeOnce(db: Db, values: readonly unknown[]): Promise<string | null> {
  const [row] = await db.query<{ outcome: string }>(storeInboxEventSql, values);
  return row === undefined || row.outcome === 'raced' ? null : row.outcome;
}

/** The type and our reference, for finding the event again. The bytes are what is applied, not these. */
function readEnvelope(body: Buffer): { type: string; reference: string | null } {
  let parsed: unknown;
  try {
    parsed = JSON.parse(body.toString('utf8'));
  } catch {
    // Signed by the sender and yet no JSON: kept, and shown as unreadable when its turn comes.
    return { type: 'unreadable', reference: null };
  }
  const data = isRecord(parsed) && isRecord(parsed.data) ? parsed.data : {};
  const reference = typeof data.externalId === 'string' && isUuidText(data.externalId) ? data.externalId : null;
  return {
    type: isRecord(parsed) && typeof parsed.type === 'string' ? parsed.type.slice(0, 100) : 'unreadable',
    reference,
  };
}
