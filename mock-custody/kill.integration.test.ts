import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createDice } from './faults/seeded-dice.ts';
import { type ChainProxy, openChainProxy } from './test-support/chain-proxy.ts';
import { type CreateBody, type CustodyClient, createBody, openCustodyClient } from './test-support/custody-client.ts';
import { type CustodyProcess, spawnCustody } from './test-support/custody-process.ts';
import { type CustodyWorld, openCustodyWorld } from './test-support/custody-under-test.ts';
import { waitUntil } from './test-support/wait-until.ts';

// KILL_ROUNDS=50 for an evening's run; KILL_SEED=, with the number in the test's name, plays the same kills again.
const ROUNDS = Number(process.env.KILL_ROUNDS ?? 4);
const SEED = Number(process.env.KILL_SEED ?? Date.now() % 1_000_000);

let world: CustodyWorld & { close: () => Promise<void> };
let proxy: ChainProxy;
let env: Record<string, string>;
let client: CustodyClient;
let custody: CustodyProcess | undefined;

beforeAll(async () => {
  world = await openCustodyWorld({ privateChain: true });
  proxy = await openChainProxy(world.chain.rpcUrl);
  env = { ...world.env, CHAIN_RPC_URL: proxy.url };
  client = openCustodyClient(world.baseUrl);
}, 60_000);
afterEach(() => custody?.kill());
afterAll(async () => {
  await proxy.close();
  await world.close();
});

/** Every request is repeated until it was answered as created or replayed, as a careful client does. */
async function createUntilAnswered(request: CreateBody): Promise<void> {
  await waitUntil(
    `${request.externalId} is answered`,
    async () => {
      const { status } = await client.create(request, { timeoutMs: 2_000 });
      return status === 201 || status === 200;
    },
    60_000,
  );
}

async function confirmed(externalId: string): Promise<void> {
  await waitUntil(
    `${externalId} is confirmed`,
    async () => (await client.find(externalId))[0]?.status === 'confirmed',
    30_000,
  );
}

/** One transfer in the log, one number signed for it, and exactly its amount on the chain. */
async function paidOnce(request: CreateBody, amountWei: bigint): Promise<void> {
  const log = await client.log(request.externalId);
  expect(log.filter(({ kind }) => kind === 'created')).toHaveLength(1);
  expect(log.filter(({ kind }) => kind === 'signed')).toHaveLength(1);
  expect(await world.chain.client.getBalance({ address: `0x${request.address.slice(2)}` })).toBe(amountWei);
}

function toSomebodyNew(amount: string): CreateBody {
  return createBody({
    address: privateKeyToAddress(generatePrivateKey()),
    amount,
    notAfter: new Date(Date.now() + 300_000).toISOString(),
  });
}

describe('a provider killed with SIGKILL', () => {
  test.each(['before', 'after'] as const)('%s the chain got the transaction pays once', async (moment) => {
    custody = await spawnCustody(env);
    const killed = new Promise<void>((resolve) => {
      proxy.onNextSend(moment, async () => {
        await custody?.kill();
        resolve();
      });
    });
    const request = toSomebodyNew('0.5');
    await client.create(request, { timeoutMs: 2_000 });
    await killed;
    custody = await spawnCustody(env);
    await createUntilAnswered(request);
    await confirmed(request.externalId);
    await paidOnce(request, 500_000_000_000_000_000n);
  });

  test(`at ${ROUNDS} random moments under load pays each request once (seed ${SEED})`, async () => {
    const dice = createDice(SEED);
    const requests: CreateBody[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      custody = await spawnCustody(env);
      const batch = Array.from({ length: 12 }, () => toSomebodyNew('0.01'));
      requests.push(...batch);
      const answers = batch.map((request) => client.create(request, { timeoutMs: 2_000 }));
      // Early in most rounds, when rows, bytes and broadcasts are under way.
      await new Promise((resolve) => setTimeout(resolve, dice() ** 2 * 250));
      await custody.kill();
      await Promise.all(answers);
    }
    custody = await spawnCustody(env);
    for (const request of requests) await createUntilAnswered(request);
    for (const { externalId } of requests) await confirmed(externalId);
    for (const request of requests) await paidOnce(request, 10_000_000_000_000_000n);
  }, 180_000);

  test('ends in order on SIGTERM, with the running request answered', async () => {
    custody = await spawnCustody(env);
    await client.control('POST', '/faults', { kind: 'slow', count: 1, delayMs: 300 });
    const request = toSomebodyNew('0.02');
    const answer = client.create(request);
    await waitUntil('it is being answered', async () => (await client.log(request.externalId)).length > 0);
    expect(await custody.terminate()).toBe(0);
    expect((await answer).status).toBe(201);
  });
});
