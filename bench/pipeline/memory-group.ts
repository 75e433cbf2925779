import { buildProduct } from '#stack/build-product.ts';
import type { Life } from '#stack/life.mjs';
import { HEAP_FLAGS } from '#stack/product-processes.ts';
import { waitUntil } from '#stack/wait-until.ts';
import { DOOR_ORIGIN, openSessions } from '../door/door-session.ts';
import { aWireRequest } from '../door/wire-request.ts';
import { openBenchHouse } from '../harness/bench-house.ts';
import type { BenchWorld } from '../harness/bench-world.ts';
import { ENDED, type Group } from '../harness/contestant.ts';
import { loadHttp } from '../harness/http-load.ts';
import { measure } from '../harness/measure.ts';
import { productEnv } from '../harness/product-env.ts';
import { BENCH_WEBHOOK_SECRET } from '../harness/secrets.ts';
import { memoryOf } from '../soak/memory-of.ts';

type Deps = { life: Life; log: (line: string) => void };

const BUILD = { buildFolder: '.build-soak', nextDistDir: '.next-soak' };
export const MEMORY_BUNDLES = { web: 'server/web.ts' };
const SAMPLE_MS = 200;
/** Of the heaviest page, beside the load: who draws pages keeps more in memory than who answers calls. */
const PAGES_A_TURN = 20;

/** The product's own web, with its pages, and its worker, as they are started: what they keep in memory while everything is busy. */
export async function openMemoryGroup(deps: Deps, world: BenchWorld): Promise<Group> {
  await buildProduct(deps, BUILD);
  const house = await openBenchHouse(await world.createDatabase('bench_memory'));
  const cookies = await openSessions(house, house.customers);
  const anybody = () => cookies[Math.floor(Math.random() * cookies.length)] ?? '';
  const port = await world.freePort();
  const webhook = {
    WEBHOOK_URL: `http://127.0.0.1:${port}/api/webhooks/custody`,
    WEBHOOK_SECRET: BENCH_WEBHOOK_SECRET,
  };
  const custody = await world.start('custody', webhook);
  const env = {
    ...productEnv({ databaseUrl: house.url, redisUrl: world.redisUrl, custodyUrl: custody.url }),
    NEXT_DIST_DIR: BUILD.nextDistDir,
    NEXT_TELEMETRY_DISABLED: '1',
  };
  const [path, flags] = ['/health/ready', HEAP_FLAGS];
  const web = await world.start('web', env, { path, portVariable: 'PORT', port, flags: flags.web });
  const worker = await world.start('worker', env, { path, portVariable: 'WORKER_HEALTH_PORT', flags: flags.worker });
  const isDone = async () => {
    const open = `status in ('queued', 'dispatching', 'in_doubt', 'submitted')`;
    return (await house.run(`select 1 from withdrawals where ${open} limit 1`)).length === 0;
  };
  const drawPages = async () => {
    for (let drawn = 0; drawn < PAGES_A_TURN; drawn += 1) {
      const answer = await fetch(`${web.url}/withdraw`, { headers: { cookie: anybody(), origin: DOOR_ORIGIN } });
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
            for (const [name, { pid }] of Object.entries({ web, worker }) as [keyof typeof most, typeof web][])
              most[name] = Math.max(most[name], (memoryOf(pid) ?? Number.NaN) / 1_048_576);
          };
          const looking = setInterval(look, SAMPLE_MS);
          const { postgres, redis } = world.pids;
          try {
            const turn = await measure({ web: web.pid, worker: worker.pid, postgres, redis }, async () => {
              const next = () => aWireRequest(anybody());
              const load = loadHttp({ port, connections: 32, milliseconds, next });
              const [{ operations }] = await Promise.all([load, drawPages()]);
              await waitUntil(isDone, { ...ENDED, what: 'withdrawals did not come to their end' });
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
