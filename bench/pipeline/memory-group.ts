import { buildProduct } from '#stack/build-product.ts';
import type { Life } from '#stack/life.mjs';
import { HEAP_FLAGS } from '#stack/product-processes.ts';
import { DOOR_ORIGIN, openSessions } from '../door/door-session.ts';
import { anybodyOf, aWireRequest } from '../door/wire-request.ts';
import { openBenchHouse } from '../harness/bench-house.ts';
import type { BenchWorld } from '../harness/bench-world.ts';
import type { Group } from '../harness/contestant.ts';
import { loadHttp } from '../harness/http-load.ts';
import { measure } from '../harness/measure.ts';
import { PAGES, PAGES_ENV, productEnv, webhookTo } from '../harness/product-env.ts';
import { memoryOf } from '../soak/memory-of.ts';
import { untilOursEnded } from './until-ours-ended.ts';

type Deps = { life: Life; log: (line: string) => void };

export const MEMORY_BUNDLES = { web: 'server/web.ts' };
const SAMPLE_MS = 200;
/** Of the heaviest page, beside the load: who draws pages keeps more in memory than who answers calls. */
const PAGES_A_TURN = 20;

/** The product's own web, with its pages, and its worker, as they are started: what they keep in memory while everything is busy. */
export async function openMemoryGroup(deps: Deps, world: BenchWorld): Promise<Group> {
  await buildProduct(deps, PAGES);
  const house = await openBenchHouse(await world.createDatabase('bench_memory'));
  const cookies = await openSessions(house, house.customers);
  const port = await world.freePort();
  const custody = await world.start('custody', webhookTo(port));
  const env = {
    ...productEnv({ databaseUrl: house.url, redisUrl: world.redisUrl, custodyUrl: custody.url }),
    ...PAGES_ENV,
  };
  const [path, flags] = ['/health/ready', HEAP_FLAGS];
  const web = await world.start('web', env, { path, portVariable: 'PORT', port, flags: flags.web });
  const worker = await world.start('worker', env, { path, portVariable: 'WORKER_HEALTH_PORT', flags: flags.worker });
  const drawPages = async () => {
    for (let drawn = 0; drawn < PAGES_A_TURN; drawn += 1) {
      const answer = await fetch(`${web.url}/withdraw`, {
        headers: { cookie: anybodyOf(cookies), origin: DOOR_ORIGIN },
      });
      if (!answer.ok) throw new Error(`a page was answered ${answer.status}`);
      await answer.text();
    }
  };
  return {
    name: 'memory',
    contestants: [
      {
        name: 'the product',
        how: `with its pages; web \`${flags.web.join(' ')}\`, worker \`${flags.worker.join(' ')}\`; 32 connections`,
        run: async (milliseconds) => {
          const most = { web: 0, worker: 0 };
          const look = () => {
            most.web = Math.max(most.web, megabytesOf(web));
            most.worker = Math.max(most.worker, megabytesOf(worker));
          };
          const looking = setInterval(look, SAMPLE_MS);
          const { postgres, redis } = world.pids;
          try {
            const turn = await measure({ web: web.pid, worker: worker.pid, postgres, redis }, async () => {
              const next = () => aWireRequest(cookies);
              const load = loadHttp({ port, connections: 32, milliseconds, next });
              const [{ operations }] = await Promise.all([load, drawPages()]);
              await untilOursEnded(house);
              return { operations };
            });
            look();
            return { ...turn, memoryMb: most };
          } finally {
            clearInterval(looking);
          }
        },
      },
    ],
    close: async () => {
      for (const one of [web, worker, custody]) await one.stop();
      await house.close();
    },
  };
}

function megabytesOf({ pid }: { pid: number }): number {
  return (memoryOf(pid) ?? Number.NaN) / 1_048_576;
}
