import { randomBytes, randomUUID } from 'node:crypto';
import { sha256 } from '@noble/hashes/sha2.js';
import { createBase58check } from '@scure/base';
import { openSessions } from '../door/door-session.ts';
import { anybodyOf, wireRequestOf } from '../door/wire-request.ts';
import { openBenchHouse } from '../harness/bench-house.ts';
import type { WireRequest } from '../harness/http-load.ts';
import { productEnv } from '../harness/product-env.ts';
import { BARE_SCHEMA } from '../pipeline/bare.sql.ts';
import type { PeerName } from '../pipeline/bare-contestant.ts';
import { CUSTODY_KEY, type FaultStage } from './fault-stage.ts';
import { type Mortal, startMortal } from './mortal.ts';
import { OUR_ROWS, PEER_ROWS } from './peer.sql.ts';

/** What a row says about itself, and how long after the click it first said how it ended. */
export interface RivalRow {
  readonly key: string;
  readonly says: 'open' | 'sent' | 'failed';
  readonly afterMs: number | null;
}

export interface RunningRival {
  readonly door: Mortal;
  readonly workers: readonly [Mortal, Mortal];
  /** A click of its own: the same bytes however often it is sent. */
  click(): { key: string; request: WireRequest };
  readRows(): Promise<RivalRow[]>;
  stop(): Promise<void>;
}

export interface Rival {
  readonly name: string;
  /** What a reader has to know to judge it. */
  readonly how: string;
  start(stage: FaultStage, custodyUrl: string, doorPort: number): Promise<RunningRival>;
}

const peer = (name: string, queue: PeerName, how: string, more: Record<string, string> = {}): Rival => ({
  name,
  how,
  start: (stage, custodyUrl, doorPort) => startPeer(stage, { queue, custodyUrl, doorPort, more }),
});

export const RIVALS: readonly Rival[] = [
  peer('BullMQ', 'bullmq', 'row, then job with the row’s id; ten tries with growing waits'),
  peer('BullMQ and a claim', 'bullmq', 'the same, and `SET NX PX` in Redis around each send', { CLAIM: '1' }),
  peer('graphile-worker', 'graphile-worker', 'job added in the accepting transaction, 25 tries with growing waits'),
  peer('DBOS', 'dbos', 'a workflow under the row’s id, its send a step with ten tries; each worker recovers its own'),
  { name: 'ours', how: 'the product, everything on, at the proof’s times', start: startOurs },
];

// An asset that custody pays on a network which it simulates: nothing waits for a chain.
const PAID = { asset: 'USDT', network: 'tron', amount: '5' };
const base58check = createBase58check(sha256);
const anAddress = () => base58check.encode(Uint8Array.from([0x41, ...randomBytes(20)]));

async function startPeer(
  stage: FaultStage,
  input: { queue: PeerName; custodyUrl: string; doorPort: number; more: Record<string, string> },
): Promise<RunningRival> {
  const { world } = stage;
  const house = await openBenchHouse(await world.createDatabase('bench_faults'));
  await house.run(BARE_SCHEMA);
  await house.run('insert into bare_balances select unnest($1::uuid[]), 1e30', [house.customers]);
  const cookies = await openSessions(house, house.customers);
  if (input.queue === 'dbos') await world.createEmptyDatabase('bench_dbos');
  const env = {
    DATABASE_URL: stage.throughProxy('postgres', house.url),
    REDIS_URL: stage.throughProxy('redis', world.redisUrl),
    CUSTODY_URL: input.custodyUrl,
    CUSTODY_API_KEY: CUSTODY_KEY,
    QUEUE: input.queue,
    PATIENT: '1',
    ...input.more,
  };
  const ready = { path: '/ready', portVariable: 'PORT', besidePeers: true };
  const workers = [
    // One after the other: a queue makes its tables when it first starts.
    await startMortal(world, 'peer-worker', { ...env, EXECUTOR: 'one' }, ready),
    await startMortal(world, 'peer-worker', { ...env, EXECUTOR: 'two' }, ready),
  ] as const;
  const door = await startMortal(world, 'bare-door', env, { ...ready, port: input.doorPort });
  return {
    door,
    workers,
    click: () => clickBy(cookies),
    readRows: () => house.run<RivalRow>(PEER_ROWS),
    stop: () => stopAll([door, ...workers], house),
  };
}

async function startOurs(stage: FaultStage, custodyUrl: string, doorPort: number): Promise<RunningRival> {
  const { world } = stage;
  const house = await openBenchHouse(await world.createDatabase('bench_faults'));
  const cookies = await openSessions(house, house.customers);
  const env = {
    ...productEnv({
      databaseUrl: stage.throughProxy('postgres', house.url),
      redisUrl: stage.throughProxy('redis', world.redisUrl),
      custodyUrl,
    }),
    CUSTODY_API_KEY: CUSTODY_KEY,
    PROTOCOL_TIMES: 'proof',
  };
  const door = await startMortal(world, 'door', env, { path: '/ready', portVariable: 'PORT', port: doorPort });
  const ready = { path: '/health/ready', portVariable: 'WORKER_HEALTH_PORT' };
  const workers = [
    await startMortal(world, 'worker', env, ready),
    await startMortal(world, 'worker', env, ready),
  ] as const;
  return {
    door,
    workers,
    click: () => clickBy(cookies),
    readRows: () => house.run<RivalRow>(OUR_ROWS),
    stop: () => stopAll([door, ...workers], house),
  };
}

function clickBy(cookies: readonly string[]): { key: string; request: WireRequest } {
  const key = randomUUID();
  return { key, request: paidRequest(cookies, key) };
}

/** Of anybody of these, to an address that nobody was paid at before. */
export function paidRequest(cookies: readonly string[], key: string): WireRequest {
  return wireRequestOf({ cookie: anybodyOf(cookies), key, address: anAddress(), ...PAID });
}

async function stopAll(processes: readonly Mortal[], house: { close(): Promise<void> }): Promise<void> {
  await Promise.all(processes.map((one) => one.stop()));
  await house.close();
}
