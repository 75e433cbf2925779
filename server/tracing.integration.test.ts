import { createHmac, randomUUID } from 'node:crypto';
import { InMemorySpanExporter, type ReadableSpan, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPerson, openTestWeb, type TestPerson, type TestWeb } from '#server/api/api-world.test-support.ts';
import { processInbox } from '#server/inbox/process-inbox.ts';
import { receiveWebhook } from '#server/inbox/receive-webhook.ts';
import { readWebhookSecrets } from '#server/inbox/webhook-signature.ts';
import { relayOutbox } from '#server/outbox/relay-outbox.ts';
import { startTracing, traceClick, traced, traceIdOf, traceStep } from '#server/tracing.ts';
import { applyChainEvent } from '#server/withdrawals/apply-chain-event.ts';
import { type QueueWorker, startWithdrawalWorker } from '../worker/processors/withdrawal-worker.ts';
import {
  createDispatchWorld,
  type DispatchWorld,
  TEST_CONTRACT,
  until,
} from '../worker/test-support/dispatch-world.ts';

const HASH = `0x${'cd'.repeat(32)}`;
let world: DispatchWorld;
let web: TestWeb;
let alice: TestPerson;
let worker: QueueWorker;

beforeAll(async () => {
  world = await createDispatchWorld({ redisDatabase: 9 });
  const relay = (outboxId: bigint) => void relayOutbox(world.tools, { outboxIds: [outboxId], limit: 1 });
  web = await openTestWeb(world.db, { relay });
  alice = web.as(await openPerson(world.db, { balances: { USDC: 50_000_000n } }));
  worker = startWithdrawalWorker(world.tools, { redisUrl: world.redisUrl });
});
afterAll(async () => {
  await worker.stop(5_000);
  await web.close();
  await world.close();
});

const statusOf = async (id: string) => (await world.row(id)).status;

/** Custody tells, signed as it signs, that the transfer is in the chain's hands. */
async function tellBroadcast(withdrawalId: string, key: string): Promise<void> {
  const transfer = world.custody.made.find((one) => one.externalId === key);
  const transactions = [{ hash: HASH, nonce: 7, status: 'broadcast', signedAt: new Date().toISOString() }];
  const data = { ...transfer, status: 'broadcast', transactions, final: false };
  const eventId = randomUUID();
  const timestamp = Math.floor((await world.now()).getTime() / 1_000);
  const body = Buffer.from(
    JSON.stringify({ type: 'transfer.broadcast', timestamp: new Date(timestamp * 1_000).toISOString(), data }),
  );
  const signed = createHmac('sha256', Buffer.alloc(32, 1)).update(`${eventId}.${timestamp}.`).update(body);
  const headers = {
    'webhook-id': eventId,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': `v1,${signed.digest('base64')}`,
  };
  const secrets = readWebhookSecrets([`whsec_${Buffer.alloc(32, 1).toString('base64')}`]);
  await receiveWebhook({ db: world.db, secrets, provider: 'custody', times: world.tools.times }, { headers, body });
  await processInbox(world.tools, { limit: 10 });
  expect(await statusOf(withdrawalId)).toBe('broadcast');
}

/** A block far enough down pays exactly what was asked for. */
async function mine(withdrawalId: string): Promise<void> {
  const [effect] = await world.rows(
    `insert into chain_effects (network_id, transaction_hash, ordinal, contract, from_address, to_address, amount_minor, block_number, block_hash, state, withdrawal_id)
     select 'ethereum', $2, 0, $3, 'hot', lower(w.address), w.amount_minor, 1, '0x1', 'included', w.id from withdrawals w where w.id = $1 returning id::text`,
    [withdrawalId, HASH, TEST_CONTRACT],
  );
  const settled = await world.db.transaction((tx) =>
    applyChainEvent({ db: tx }, { effectId: String(effect?.id), headNumber: 1_000, confirmations: 1_000 }),
  );
  expect(settled.kind).toBe('completed');
}

test('one withdrawal is one trace, from the click to the chain, through two processes, a queue, custody and a webhook', async () => {
  const exporter = new InMemorySpanExporter();
  const stop = await startTracing({ service: 'test', processor: new SimpleSpanProcessor(exporter) });
  let spans: ReadableSpan[] = [];
  let withdrawalId = '';
  try {
    const key = randomUUID();
    const address = `0x${randomUUID().replaceAll('-', '')}aabbccdd`;
    const body = { asset: 'USDC', network: 'ethereum', address, memo: null, amount: '3', clickedAt: Date.now() - 40 };
    ({ withdrawalId } = (await alice.request(body, key)).data.withdrawal);
    expect((await alice.request(body, key)).data.replayed).toBe(true);
    await until('custody has it', async () => (await statusOf(withdrawalId)) === 'submitted');
    await tellBroadcast(withdrawalId, key);
    await mine(withdrawalId);
    await until('the job has ended', () =>
      Promise.resolve(exporter.getFinishedSpans().some(({ name }) => name === 'withdrawal.job')),
    );
    spans = exporter.getFinishedSpans();
  } finally {
    await stop();
  }
  const traceId = traceIdOf(withdrawalId);
  const ours = spans.filter((span) => span.spanContext().traceId === traceId);
  const names = new Set(ours.map(({ name }) => name));
  const steps = [
    'click',
    'accept',
    'replay',
    'relay',
    'job',
    'claim',
    'dispatching',
    'custody',
    'submitted',
    'webhook',
  ];
  for (const step of [...steps, 'broadcast', 'chain', 'completed']) {
    expect(names, step).toContain(`withdrawal.${step}`);
  }
  const byId = new Map(ours.map((span) => [span.spanContext().spanId, span]));
  const parentOf = (name: string) =>
    byId.get(ours.find((span) => span.name === name)?.parentSpanContext?.spanId ?? '')?.name;
  expect(ours.filter((span) => span.parentSpanContext === undefined).map(({ name }) => name)).toEqual([
    'withdrawal.click',
  ]);
  expect(parentOf('withdrawal.accept')).toBe('withdrawal.click');
  expect(parentOf('withdrawal.custody')).toBe('withdrawal.job');
  expect(parentOf('withdrawal.submitted')).toBe('withdrawal.custody');
  expect(parentOf('withdrawal.chain')).toBe('withdrawal.click');
  // By the header of the one create, custody's own spans would go on from the span that asked it.
  const sent = world.custody.creates.map(({ traceparent }) => traceparent?.split('-'));
  const asked = ours.find(({ name }) => name === 'withdrawal.custody')?.spanContext().spanId;
  expect(sent).toEqual([['00', traceId, asked, '01']]);
  const click = ours.find(({ name }) => name === 'withdrawal.click');
  const durationMs = (click?.duration[0] ?? 0) * 1_000 + (click?.duration[1] ?? 0) / 1e6;
  expect(durationMs).toBeGreaterThanOrEqual(40);
  const carried = JSON.stringify(ours.map(({ attributes }) => attributes));
  expect(carried).not.toMatch(/0x[0-9a-f]{40}"/i);
});

test('switched off, a step costs a comparison and calls nothing', async () => {
  const beginsAt = performance.now();
  for (let round = 0; round < 200_000; round += 1) traceStep('withdrawal.relay', 'w');
  // 200,000 in a fifth of a second is a microsecond each, with room for a busy machine.
  expect(performance.now() - beginsAt).toBeLessThan(200);
  traceClick('w', { clickedAtMs: null, receivedAtMs: 0 });
  expect(await traced('withdrawal.job', 'w', () => Promise.resolve('done'))).toBe('done');
});
