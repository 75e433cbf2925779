import { createHmac, randomUUID } from 'node:crypto';
import { gatherStatements } from '#server/db/gather-statements.ts';
import { GATHERED_RECEIPTS } from '#server/inbox/gather-events.ts';
import { receiveWebhook } from '#server/inbox/receive-webhook.ts';
import { readWebhookSecrets } from '#server/inbox/webhook-signature.ts';
import type { DispatchWorld } from '../../../worker/test-support/dispatch-world.ts';
import type { ScriptedTransfer } from '../../../worker/test-support/scripted-custody.ts';

const KEY = Buffer.alloc(32, 1);
// In the middle of a rotation: the first is the old one.
const SECRETS = readWebhookSecrets([
  `whsec_${Buffer.alloc(32, 9).toString('base64')}`,
  `whsec_${KEY.toString('base64')}`,
]);

export interface Delivery {
  readonly headers: Record<string, string>;
  readonly body: Buffer;
}

/** A delivery signed as custody signs, at the database's own time, or so much beside it. */
export async function signEvent(
  world: DispatchWorld,
  input: { type: string; data: object; eventId?: string | undefined; offsetMs?: number | undefined },
): Promise<Delivery> {
  const { type, data, eventId = randomUUID(), offsetMs = 0 } = input;
  const timestamp = Math.floor(((await world.now()).getTime() + offsetMs) / 1_000);
  const body = Buffer.from(JSON.stringify({ type, timestamp: new Date(timestamp * 1_000).toISOString(), data }));
  const digest = createHmac('sha256', KEY).update(`${eventId}.${timestamp}.`).update(body).digest('base64');
  return {
    headers: { 'webhook-id': eventId, 'webhook-timestamp': String(timestamp), 'webhook-signature': `v1,${digest}` },
    body,
  };
}

/**
 * Takes a delivery as a door of its own does, with the statement that stores many; `secrets` are those of somebody else's account
 * where given.
 */
export function receiveEvent(world: DispatchWorld, delivery: Delivery, secrets = SECRETS) {
  const db = gatherStatements(world.db, GATHERED_RECEIPTS, { togetherFrom: 1 });
  return receiveWebhook({ db, secrets, provider: 'custody', times: world.tools.times }, delivery);
}

/** Takes deliveries that arrive at one door at the same time. */
export function receiveTogether(world: DispatchWorld, deliveries: readonly Delivery[]) {
  const db = gatherStatements(world.db, GATHERED_RECEIPTS);
  const deps = { db, secrets: SECRETS, provider: 'custody', times: world.tools.times };
  return Promise.all(deliveries.map((delivery) => receiveWebhook(deps, delivery)));
}

export const HASH = `0x${'ab'.repeat(32)}`;

/** What custody shows of a transfer at that stage. */
export function shown(transfer: ScriptedTransfer, status: string): object {
  const onChain =
    status === 'accepted' ? [] : [{ hash: HASH, nonce: 7, status: 'broadcast', signedAt: new Date().toISOString() }];
  return { ...transfer, status, transactions: onChain, final: false };
}
