import type { Life } from '#stack/life.mjs';
import { HEAP_FLAGS } from '#stack/product-processes.ts';
import { openSessions } from '../door/door-session.ts';
import { aWireRequest } from '../door/wire-request.ts';
import { openBenchHouse } from '../harness/bench-house.ts';
import type { BenchProcess, BenchWorld } from '../harness/bench-world.ts';
import type { Contestant, Group } from '../harness/contestant.ts';
import { loadHttp } from '../harness/http-load.ts';
import { measure } from '../harness/measure.ts';
import { productEnv, webhookTo } from '../harness/product-env.ts';
import { tidyHouse } from './tidy-house.ts';
import { untilOursEnded } from './until-ours-ended.ts';

type Deps = { life: Life; log: (line: string) => void };

const COUNTS = { 'one worker': 1, 'two workers': 2, 'four workers': 4 } as const;

/** The product with one, two and four processes of workers: whether more of them make a withdrawal dearer. */
export async function openWorkersGroup(_deps: Deps, world: BenchWorld): Promise<Group> {
  const house = await openBenchHouse(await world.createDatabase('bench_workers'));
  const cookies = await openSessions(house, house.customers);
  await house.run('analyze sessions');
  const doorPort = await world.freePort();
  const custody = await world.start('custody', webhookTo(doorPort));
  const env = productEnv({ databaseUrl: house.url, redisUrl: world.redisUrl, custodyUrl: custody.url });
  const door = await world.start('door', env, { path: '/ready', portVariable: 'PORT', port: doorPort });
  const workers: BenchProcess[] = [];
  const ready = { path: '/health/ready', portVariable: 'WORKER_HEALTH_PORT', flags: HEAP_FLAGS.worker };
  const keep = async (count: number) => {
    while (workers.length > count) await workers.pop()?.stop();
    while (workers.length < count) workers.push(await world.start('worker', env, ready));
  };
  const next = () => aWireRequest(cookies);
  const load = async (milliseconds: number) => {
    const { operations } = await loadHttp({ port: door.port, connections: 32, milliseconds, next });
    await untilOursEnded(house);
    return { operations };
  };
  const contestant = (name: string, count: number): Contestant => ({
    name,
    how: 'everything on, 32 connections; processes are started and stopped between the turns, and warmed up',
    run: async (milliseconds) => {
      await keep(count);
      // Some of them have just started, and are asked what they cost once they have run for a while.
      await load(milliseconds * Math.min(count, 2));
      const { postgres, redis } = world.pids;
      const pids = workers.map(({ pid }, index) => [`worker ${index + 1}`, pid] as const);
      return await measure({ door: door.pid, ...Object.fromEntries(pids), postgres, redis }, () => load(milliseconds));
    },
  });
  return {
    name: 'workers',
    contestants: Object.entries(COUNTS).map(([name, count]) => contestant(name, count)),
    tidy: () => tidyHouse(house),
    close: async () => {
      await keep(0);
      await door.stop();
      await custody.stop();
      await house.close();
    },
  };
}
