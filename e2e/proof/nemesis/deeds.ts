import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { reorgAfterBlock } from '#server/operator/reorg-after-block.ts';
import { flushRedis } from '../flush-redis.ts';
import type { ProofWorld, ProxiedService } from '../proof-world.ts';
import type { SeededRandom } from '../seeded-random.ts';
import type { Keeper } from './keep-alive.ts';
import { holdService, startService } from './services.ts';

export interface DeedTools {
  readonly world: ProofWorld;
  readonly keeper: Keeper;
  readonly random: SeededRandom;
}

/** Something that goes wrong, whole: it resolves when what it broke is mended. */
export interface Deed {
  readonly name: string;
  readonly run: (tools: DeedTools) => Promise<void>;
}

const PROCESSES = ['web', 'worker', 'worker-2'] as const;
const PROXIED: readonly ProxiedService[] = ['redis', 'postgres', 'custody'];
// What the issue of a paused process is about: longer than the job's lock, so that another takes the job meanwhile.
const PAUSE_MS = 3_000;
// Below the proof's not-after (10 s), or custody would refuse everything as expired.
const SKEW_MS = 4_000;

const processDeeds: readonly Deed[] = PROCESSES.flatMap((name): Deed[] => [
  { name: `kill ${name}`, run: ({ keeper }) => keeper.kill(name) },
  { name: `pause ${name}`, run: ({ keeper }) => keeper.pause(name, PAUSE_MS) },
  { name: `restart ${name}`, run: ({ keeper }) => keeper.restart(name) },
]);

const networkDeeds: readonly Deed[] = PROXIED.flatMap((service): Deed[] => [
  {
    name: `cut ${service}`,
    run: async ({ world, random }) => {
      const forMs = random.int(1, 1_500);
      world.proxies[service].cut(forMs);
      await sleep(forMs);
    },
  },
  {
    name: `delay ${service}`,
    run: async ({ world, random }) => {
      world.proxies[service].delay(random.int(50, service === 'custody' ? 1_800 : 500), 1_500);
      await sleep(1_500);
    },
  },
]);

/** Everything that can go wrong beside custody's own faults. */
export const DEEDS: readonly Deed[] = [
  ...processDeeds,
  ...networkDeeds,
  {
    name: 'swallow answers of custody',
    run: async ({ world, random }) => {
      const forMs = random.int(300, 1_500);
      world.proxies.custody.swallowAnswers(forMs);
      await sleep(forMs);
    },
  },
  {
    name: 'repeat requests to custody',
    run: async ({ world, random }) => {
      // From beside the first answer until after the not-after.
      const delayMs = random.pick([5, 100, 700, 2_500, 6_000, 11_000]);
      world.proxies.custody.repeatRequests({ requests: random.int(1, 6), copies: random.int(1, 2), delayMs });
    },
  },
  {
    name: 'flush redis',
    run: ({ world }) => flushRedis(world.stack.urls.redis),
  },
  { name: 'restart redis empty', run: ({ world }) => restartRedis(world, 'empty') },
  { name: 'restart redis from an old snapshot', run: ({ world }) => restartRedis(world, 'old') },
  { name: 'kill postgres', run: (tools) => killAndStart(tools, 'postgres') },
  {
    name: 'restart postgres',
    run: ({ world }) =>
      holdService(world, 'postgres', async () => {
        await world.stack.stop('postgres');
        await startService(world, 'postgres');
      }),
  },
  {
    name: 'terminate database sessions',
    run: async ({ world }) => {
      await world.ask(`select pg_terminate_backend(pid) from pg_stat_activity where usename = 'cryptoex'`);
    },
  },
  { name: 'kill custody', run: (tools) => killAndStart(tools, 'custody') },
  {
    name: 'skew our clock',
    run: async ({ world, random }) => {
      const offsetMs = random.pick([-SKEW_MS, SKEW_MS]);
      await world.ask(`update protocol_settings set clock_offset = $1::integer * interval '1 millisecond'`, [offsetMs]);
    },
  },
  {
    name: "skew custody's clock",
    run: ({ world, random }) =>
      world.custody.setFault({ kind: 'clock_offset', offsetMs: random.pick([-SKEW_MS, 0, SKEW_MS]) }),
  },
  { name: 'reorg', run: ({ world, random }) => reorgAfterBlock(world.askChain, random.int(1, 2)) },
];

const killAndStart = ({ world }: DeedTools, name: 'postgres' | 'custody') =>
  holdService(world, name, async () => {
    await world.stack.kill(name, 'SIGKILL');
    await startService(world, name);
  });

const restartRedis = (world: ProofWorld, memory: 'empty' | 'old') =>
  holdService(world, 'redis', async () => {
    const folder = join(world.stateFolder, 'redis', 'appendonlydir');
    const copy = join(world.stateFolder, 'redis-old-snapshot');
    if (memory === 'old') {
      // Taken while it runs, like a backup: jobs come and go before it is put back.
      rmSync(copy, { recursive: true, force: true });
      cpSync(folder, copy, { recursive: true });
      await sleep(2_000);
    }
    await world.stack.kill('redis', 'SIGKILL');
    rmSync(folder, { recursive: true, force: true });
    if (memory === 'old') cpSync(copy, folder, { recursive: true });
    await startService(world, 'redis');
  });

/** Puts right what a deed leaves as it is. */
export async function mendWorld({ world }: Pick<DeedTools, 'world'>): Promise<void> {
  for (const service of PROXIED) {
    world.proxies[service].delay(0, 0);
    world.proxies[service].swallowAnswers(0);
  }
  await world.custody.clearFaults();
  await world.custody.setClock(0);
  await world.ask(`update protocol_settings set clock_offset = '0'`);
}
