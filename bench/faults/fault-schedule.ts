import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { flushRedis } from '#e2e/proof/flush-redis.ts';
import type { SeededRandom } from '#e2e/proof/seeded-random.ts';
import type { CustodyForFaults, FaultStage } from './fault-stage.ts';
import type { Mortal } from './mortal.ts';

interface Struck {
  readonly stage: FaultStage;
  readonly custody: CustodyForFaults;
  readonly door: Mortal;
  readonly workers: readonly [Mortal, Mortal];
}

/** Something that goes wrong at its time; it mends itself. */
export interface PlannedFault {
  readonly atMs: number;
  readonly name: string;
  readonly strike: (struck: Struck) => Promise<void>;
}

// Longer than a job's lock (1.5 s), so that another takes the job meanwhile.
const PAUSE_MS = 3_000;
/** Longer than custody's key window: a copy that the network kept. */
const LATE_COPY_MS = 15_000;

const ofProcesses: readonly Omit<PlannedFault, 'atMs'>[] = [
  { name: 'kill a worker', strike: ({ workers }) => workers[0].kill() },
  { name: 'kill the other worker', strike: ({ workers }) => workers[1].kill() },
  { name: 'pause a worker', strike: ({ workers }) => workers[0].pause(PAUSE_MS) },
  { name: 'kill the door', strike: ({ door }) => door.kill() },
  { name: 'kill a worker once more', strike: ({ workers }) => workers[1].kill() },
];

const ofServices: readonly Omit<PlannedFault, 'atMs'>[] = [
  { name: 'restart Postgres', strike: ({ stage }) => stage.world.restart('postgres', 'stop') },
  { name: 'kill Postgres', strike: ({ stage }) => stage.world.restart('postgres', 'kill') },
  { name: 'empty Redis', strike: ({ stage }) => flushRedis(stage.world.redisUrl) },
  {
    name: 'kill Redis, which comes back empty',
    strike: ({ stage: { world } }) =>
      world.restart('redis', 'kill', () =>
        rmSync(join(world.stateFolder, 'redis', 'appendonlydir'), { recursive: true, force: true }),
      ),
  },
];

const ofTheNetwork: readonly Omit<PlannedFault, 'atMs'>[] = [
  { name: 'cut custody off', strike: async ({ stage }) => stage.proxies.custody.cut(800) },
  { name: 'cut Redis off', strike: async ({ stage }) => stage.proxies.redis.cut(500) },
  { name: 'cut Postgres off', strike: async ({ stage }) => stage.proxies.postgres.cut(500) },
  { name: 'delay custody', strike: async ({ stage }) => stage.proxies.custody.delay(900, 1_000) },
  { name: "swallow custody's answers", strike: async ({ stage }) => stage.proxies.custody.swallowAnswers(1_000) },
  {
    name: 'repeat requests soon',
    strike: async ({ stage }) => stage.proxies.custody.repeatRequests({ requests: 6, copies: 1, delayMs: 700 }),
  },
];

const ofCustody: readonly Omit<PlannedFault, 'atMs'>[] = [
  { kind: 'execute_then_drop', count: 3 },
  { kind: 'execute_late', count: 2, delayMs: 600 },
  { kind: 'error_after', count: 3, status: 502 },
  { kind: 'error_before', count: 3, status: 500 },
  { kind: 'slow', count: 2, delayMs: 2_000 },
  { kind: 'body_stalls', count: 2 },
  { kind: 'html_200', count: 1 },
  { kind: 'truncated_json', count: 1 },
  { kind: 'close_before_reading', count: 2 },
  { kind: 'rate_limit', count: 3 },
  { kind: 'refuse_503', count: 3 },
  { kind: 'reject', count: 3 },
  { kind: 'edge_repeats', count: 3, delayMs: 800, times: 2 },
].map((order) => ({
  name: `custody: ${order.kind}`,
  strike: ({ custody }) => custody.control.setFault({ ...order, forMs: 8_000 }),
}));

/** The same for everybody who is compared: evenly over the time, in an order that the seed decides. */
export function planFaults(random: SeededRandom, withinMs: number): PlannedFault[] {
  const mixed = random.shuffle([...ofProcesses, ...ofServices, ...ofTheNetwork, ...ofCustody]);
  const everyMs = withinMs / (mixed.length + 1);
  const planned = mixed.map((fault, index) => ({ ...fault, atMs: Math.round(everyMs * (index + 1)) }));
  // First, for what is repeated so late has to arrive while somebody still looks.
  const lateCopies: PlannedFault = {
    atMs: 300,
    name: 'repeat requests late',
    strike: async ({ stage }) =>
      stage.proxies.custody.repeatRequests({ requests: 8, copies: 1, delayMs: LATE_COPY_MS }),
  };
  return [lateCopies, ...planned];
}
