import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { buildProduct } from '#stack/build-product.ts';
import type { Life } from '#stack/life.mjs';
import { HEAP_FLAGS } from '#stack/product-processes.ts';
import { PROJECT_ROOT } from '#stack/project-root.ts';
import { openSessions } from '../door/door-session.ts';
import { countFates } from '../faults/count-fates.ts';
import { CUSTODY_KEY, openFaultStage } from '../faults/fault-stage.ts';
import { startMortal } from '../faults/mortal.ts';
import { OUR_ROWS } from '../faults/peer.sql.ts';
import { paidRequest, type RivalRow } from '../faults/rival.ts';
import { openBenchHouse } from '../harness/bench-house.ts';
import { commitOf } from '../harness/bench-result.ts';
import { startBenchWorld } from '../harness/bench-world.ts';
import { PAGES, PAGES_ENV, productEnv } from '../harness/product-env.ts';
import { memoryOf } from './memory-of.ts';
import { keepBreaking } from './soak-faults.ts';
import { loadForLong, type SoakAnswer } from './soak-load.ts';
import { type MemorySample, type SoakResult, soakTable, sumUpSoak } from './soak-result.ts';

type Deps = { life: Life; log: (line: string) => void };

const DATABASE = 'bench_soak';
const SAMPLE_MS = 2_000;
const TELL_MS = 60_000;
/** After the last click: twice the quiet period after which a silence may be looked into. */
const DRAIN_MS = 120_000;

/**
 * `npm run bench -- --soak`: the product with its pages, two workers and production's times under a steady load with repetitions
 * and faults; what it keeps in memory and how long it takes to answer, from beginning to end.
 */
export async function runSoak(deps: Deps, input: { minutes: number; perSecond: number }): Promise<void> {
  const { minutes, perSecond } = input;
  await buildProduct(deps, PAGES);
  const world = await startBenchWorld(deps, {
    bundles: { web: 'server/web.ts', worker: 'worker/main.ts', 'mock-custody': 'mock-custody/main.ts' },
    peerBundles: {},
  });
  const stage = await openFaultStage(deps, world);
  const house = await openBenchHouse(await world.createDatabase(DATABASE));
  const cookies = await openSessions(house, house.customers);
  const port = await world.freePort();
  const webhookUrl = `http://127.0.0.1:${port}/api/webhooks/custody`;
  const custody = await stage.openCustody({ profile: 'replays', webhookUrl, times: 'production' });
  const env = {
    ...productEnv({
      databaseUrl: stage.throughProxy('postgres', house.url),
      redisUrl: stage.throughProxy('redis', world.redisUrl),
      custodyUrl: `http://127.0.0.1:${stage.proxies.custody.port}`,
    }),
    CUSTODY_API_KEY: CUSTODY_KEY,
    ...PAGES_ENV,
  };
  const web = await world.start('web', env, {
    path: '/health/ready',
    portVariable: 'PORT',
    port,
    flags: HEAP_FLAGS.web,
  });
  const ready = { path: '/health/ready', portVariable: 'WORKER_HEALTH_PORT', flags: HEAP_FLAGS.worker };
  const worker = await world.start('worker', env, ready);
  const otherWorker = await startMortal(world, 'worker', env, ready);
  deps.log(`soaking for ${minutes} minutes, ${perSecond} clicks a second`);

  const answers: SoakAnswer[] = [];
  const memory: MemorySample[] = [];
  const keys: string[] = [];
  const beganAt = performance.now();
  let isOver = false;
  const watching = watch(deps, { isOver: () => isOver, memory, answers, beganAt, web: web.pid, worker: worker.pid });
  const breaking = keepBreaking(
    { log: deps.log, isOver: () => isOver },
    { stage, custody, otherWorker, databaseName: DATABASE },
  );
  const { clicks } = await loadForLong({
    port,
    perSecond,
    milliseconds: minutes * 60_000,
    signal: deps.life.signal,
    onAnswer: (answer) => answers.push(answer),
    click: (key) => {
      keys.push(key);
      return paidRequest(cookies, key);
    },
  });
  isOver = true;
  const [faults] = await Promise.all([breaking, watching]);
  const end = performance.now() + DRAIN_MS;
  const isOpen = async () => (await house.run<RivalRow>(OUR_ROWS)).some(({ says }) => says === 'open');
  while (performance.now() < end && (await isOpen())) await sleep(1_000);
  const rows = await house.run<RivalRow>(OUR_ROWS);
  const known = new Set(rows.map(({ key }) => key));
  const fates = countFates({
    // Whoever got no answer may have been accepted all the same; the row says.
    asked: keys.filter((key) => known.has(key)).map((key) => ({ key, isAccepted: true })),
    rows,
    log: await custody.control.readLog(),
  });
  await otherWorker.stop();
  await house.close();
  const { doubled, unpaid, unknown } = fates;
  const result: SoakResult = {
    minutes,
    clicks,
    faults,
    doubled,
    open: unpaid + unknown,
    ...sumUpSoak({ minutes, answers, memory }),
  };
  keep({ result, memory, perSecond });
}

/** Memory at a steady pace, and a line a minute. */
async function watch(
  { log }: Deps,
  input: {
    isOver: () => boolean;
    memory: MemorySample[];
    answers: readonly SoakAnswer[];
    beganAt: number;
    web: number;
    worker: number;
  },
): Promise<void> {
  let toldAt = 0;
  while (!input.isOver()) {
    await sleep(SAMPLE_MS);
    const atMs = performance.now() - input.beganAt;
    const sample = { atMs, web: memoryOf(input.web), worker: memoryOf(input.worker) };
    input.memory.push(sample);
    if (atMs - toldAt < TELL_MS) continue;
    toldAt = atMs;
    const inMb = (bytes: number | null) => `${Math.round((bytes ?? 0) / 1_048_576)} MB`;
    log(
      `minute ${Math.round(atMs / 60_000)}: ${input.answers.length} answers, web ${inMb(sample.web)}, worker ${inMb(sample.worker)}`,
    );
  }
}

function keep(input: { result: SoakResult; memory: readonly MemorySample[]; perSecond: number }): void {
  const { result, perSecond } = input;
  const flags = `web \`${HEAP_FLAGS.web.join(' ')}\`, worker \`${HEAP_FLAGS.worker.join(' ')}\``;
  const about = [
    `${new Date().toISOString().slice(0, 10)}, commit ${commitOf()}: ${result.minutes} minutes, ${result.clicks} clicks (${perSecond} a second), ${result.duplicates} of them repeated, ${result.faults} faults beside custody's own`,
    `${result.unanswered} without an answer within 10 s; p99 ${Math.round(result.p99Ms.first)} ms at first, ${Math.round(result.p99Ms.last)} ms at last`,
    flags,
  ].join('; ');
  const table = soakTable(result);
  console.log(`\n${about}\n\n${table}\n`);
  const folder = join(PROJECT_ROOT, 'bench', 'results');
  mkdirSync(folder, { recursive: true });
  const kept = { ...result, perSecond, memory: result.memory, samples: input.memory };
  writeFileSync(join(folder, `soak-${result.minutes}.json`), `${JSON.stringify(kept)}\n`);
  writeFileSync(join(folder, `soak-${result.minutes}.md`), `# Soaked\n\n${about}.\n\n${table}\n`);
}
