import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { tryFileLock } from '#stack/file-lock.mjs';
import type { Life } from '#stack/life.mjs';
import { PROJECT_ROOT } from '#stack/project-root.ts';
import { openAcceptanceGroup } from './acceptance/acceptance-group.ts';
import { GOALS } from './bench-goals.ts';
import { DOOR_BUNDLES, openDoorGroup } from './door/door-group.ts';
import { runFaults } from './faults/faults-command.ts';
import { measureGrowth, runGrowth, worstOf } from './growth/growth-command.ts';
import { keepResult, readKeptResult, readLoad, resultFile, toResult } from './harness/bench-result.ts';
import { type BenchWorld, startBenchWorld } from './harness/bench-world.ts';
import type { Group } from './harness/contestant.ts';
import { findRegressions, judgeGoals } from './harness/goals.ts';
import { drawGoals } from './harness/plot.ts';
import { contestantTables, describeMachine, goalTable, lastLine } from './harness/print-result.ts';
import { writeReadmeTable } from './harness/readme-table.ts';
import { type Rounds, runRounds } from './harness/run-rounds.ts';
import { MEMORY_BUNDLES, openMemoryGroup } from './pipeline/memory-group.ts';
import { openPipelineGroup, PEER_BUNDLES, PIPELINE_BUNDLES } from './pipeline/pipeline-group.ts';
import { openWorkersGroup } from './pipeline/workers-group.ts';
import { runSoak } from './soak/soak-command.ts';

type Deps = { life: Life; log: (line: string) => void };
type OpenGroup = (deps: Deps, world: BenchWorld) => Promise<Group>;

const PEERS = ['bullmq', 'graphile-worker', 'pg-boss', 'dbos'] as const;
const GROUPS: Readonly<Record<string, OpenGroup>> = {
  acceptance: openAcceptanceGroup,
  door: openDoorGroup,
  pipeline: pipeline({ name: 'pipeline', delayMs: 0, peers: PEERS }),
  'pipeline-50': pipeline({ name: 'pipeline, provider of 50 ms', delayMs: 50, peers: ['bullmq'] }),
  quiet: pipeline({ name: 'quiet', delayMs: 0, peers: ['bullmq'], quiet: true }),
  workers: openWorkersGroup,
  memory: openMemoryGroup,
};
/** They build the product with its pages first, which takes longer than a quick look may. */
const LONG: readonly string[] = ['memory'];
const BUNDLES = { ...DOOR_BUNDLES, ...PIPELINE_BUNDLES, ...MEMORY_BUNDLES };

/** Rounds and the length of a turn. Quick is for whoever changed something; a figure that is quoted comes from the other. */
const MODES = {
  /** Whether everything runs; its figures say nothing and are not kept. */
  try: { rounds: 1, turnMs: 400 },
  quick: { rounds: 3, turnMs: 3_000 },
  full: { rounds: 3, turnMs: 6_000 },
} as const;
const REGRESSION_MAX = 0.15;
/** In the ordinary bench, and when growth itself is asked for (some 85 GB). */
const GROWTH_ROWS = { ordinary: 1_000_000, asked: 10_000_000 } as const;

/**
 * `npm run bench`: measures every group in interleaved rounds on a Postgres of its own, compares with the result that is kept,
 * writes tables, plot and README. Ends the process: 1 when a ratio became clearly worse. A goal missed is printed as missed.
 */
export async function command(deps: Deps, input: { args: string[]; env: NodeJS.ProcessEnv }): Promise<void> {
  const { life, log } = deps;
  const { values } = parseArgs({
    args: input.args,
    options: {
      quick: { type: 'boolean' },
      try: { type: 'boolean' },
      only: { type: 'string' },
      'keep-nothing': { type: 'boolean' },
      faults: { type: 'boolean' },
      seed: { type: 'string', default: '1' },
      profiles: { type: 'string' },
      rivals: { type: 'string' },
      growth: { type: 'boolean' },
      rows: { type: 'string' },
      soak: { type: 'boolean' },
      minutes: { type: 'string', default: '60' },
      rate: { type: 'string', default: '20' },
    },
  });
  const mode = values.try ? 'try' : values.quick ? 'quick' : 'full';
  const only = values.only?.split(',');
  takeLock(deps);
  if (values.faults) {
    const [profiles, rivals] = [values.profiles?.split(',') ?? null, values.rivals?.split(',') ?? null];
    const isWell = await runFaults(deps, { seed: Number(values.seed), profiles, rivals });
    return await life.end(isWell ? 0 : 1);
  }
  if (values.growth) {
    await runGrowth(deps, { rows: Number(values.rows ?? GROWTH_ROWS.asked) });
    return await life.end(0);
  }
  if (values.soak) {
    await runSoak(deps, { minutes: Number(values.minutes), perSecond: Number(values.rate) });
    return await life.end(0);
  }
  const loadBefore = readLoad();
  const world = await startBenchWorld(deps, { bundles: BUNDLES, peerBundles: PEER_BUNDLES });
  const measured: { group: Group; rounds: Rounds }[] = [];
  for (const [name, open] of Object.entries(GROUPS)) {
    if (only === undefined ? mode !== 'full' && LONG.includes(name) : !only.includes(name)) continue;
    log(`${name}: preparing`);
    const group = await open(deps, world);
    measured.push({ group, rounds: await runRounds({ log, signal: life.signal }, { group, ...MODES[mode] }) });
    await group.close();
  }
  const goals = judgeGoals(GOALS, new Map(measured.map(({ group, rounds }) => [group.name, rounds])));
  if (mode === 'full' && (only === undefined || only.includes('growth'))) {
    const rows = Number(values.rows ?? GROWTH_ROWS.ordinary);
    goals.push(...worstOf((await measureGrowth(deps, world, { rows })).goals, rows));
  }
  const result = toResult({ mode, loadBefore, groups: measured, goals });
  const kept = readKeptResult(mode);
  const regressions = kept === null ? [] : findRegressions(goals, kept.goals, REGRESSION_MAX);
  const about = describeMachine(result);
  console.log(`\n${about}\n\n${contestantTables(result)}\n\n${goalTable(result)}\n`);
  for (const line of regressions) console.log(`worse by more than ${REGRESSION_MAX * 100} %: ${line}`);
  // A part of the goals would write over the whole of them, and a regression over what shows it.
  if (mode !== 'try' && only === undefined && !values['keep-nothing'] && regressions.length === 0) {
    keepResult(result);
    writeFileSync(join(PROJECT_ROOT, 'bench', 'results', `${mode}.svg`), drawGoals(result));
    const text = `# Figures\n\n${about}.\n\n${goalTable(result)}\n\n${contestantTables(result)}\n`;
    writeFileSync(resultFile(mode).replace(/json$/, 'md'), text);
    const all = `bench/results/${mode}.md`;
    writeReadmeTable(`${goalTable(result)}\n\n${about}. All figures: [${all}](${all}).`);
  }
  console.log(lastLine(result));
  await life.end(regressions.length === 0 ? 0 : 1);
}

/** Two benches at once would measure each other. @throws when one runs */
function takeLock({ life }: Deps): void {
  const lock = tryFileLock(join(PROJECT_ROOT, '.build-bench', 'bench.lock'));
  if (lock.kind === 'held') throw new Error(`a bench runs here already (process ${lock.by.pid})`);
  life.onStop({ stop: lock.release });
}

function pipeline(input: Parameters<typeof openPipelineGroup>[2]): OpenGroup {
  return (deps, world) => openPipelineGroup(deps, world, input);
}
