import { mkdirSync, readFileSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Life } from '#stack/life.mjs';
import { PROJECT_ROOT } from '#stack/project-root.ts';
import { readLoad, toResult } from '../harness/bench-result.ts';
import { type BenchWorld, startBenchWorld } from '../harness/bench-world.ts';
import { type GoalResult, judgeGoals } from '../harness/goals.ts';
import { contestantTables, describeMachine, goalTable, lastLine } from '../harness/print-result.ts';
import { replaceTable } from '../harness/readme-table.ts';
import { runRounds } from '../harness/run-rounds.ts';
import { growthGoals, openGrowthGroup } from './growth-group.ts';

type Deps = { life: Life; log: (line: string) => void };

/** A look takes a millisecond: this is hundreds of them. */
const MODE = { rounds: 5, turnMs: 250 };
// Measured with 100,000: 7.9 kB of tables and indexes a withdrawal; and Postgres' own log, and room to work.
const BYTES_EACH = 8_500;
const BYTES_BESIDE = 2_000_000_000;

/**
 * `npm run bench -- --growth`: every look and the acceptance after so many withdrawals, beside a house that opened a week ago.
 *
 * @throws when the disk has no room for them
 */
export async function runGrowth(deps: Deps, input: { rows: number }): Promise<void> {
  const { rows } = input;
  const loadBefore = readLoad();
  const world = await startBenchWorld(deps, { bundles: {}, peerBundles: {} });
  const measured = await measureGrowth(deps, world, { rows });
  const result = toResult({ mode: 'growth', loadBefore, groups: [measured], goals: measured.goals });
  const about = `${rows.toLocaleString('en')} withdrawals beside 20,000; ${describeMachine(result)}`;
  const sizes = sizeTable(measured.sizes, rows);
  console.log(`\n${about}\n\n${goalTable(result)}\n\n${sizes}\n`);
  const folder = join(PROJECT_ROOT, 'bench', 'results');
  mkdirSync(folder, { recursive: true });
  const kept = { ...result, rows, sizes: measured.sizes };
  writeFileSync(join(folder, `growth-${rows}.json`), `${JSON.stringify(kept, null, 1)}\n`);
  const text = `# After ${rows.toLocaleString('en')} withdrawals\n\n${about}.\n\n${goalTable(result)}\n\n${sizes}\n\n${contestantTables(result)}\n`;
  writeFileSync(join(folder, `growth-${rows}.md`), text);
  const readme = join(PROJECT_ROOT, 'bench', 'README.md');
  const table = `${goalTable(result)}\n\n${sizes}\n\n${about}.`;
  writeFileSync(readme, replaceTable(readFileSync(readme, 'utf8'), table, 'bench -- --growth'));
  console.log(lastLine(result));
}

/** In a world that runs. @throws when the disk has no room */
export async function measureGrowth(deps: Deps, world: BenchWorld, input: { rows: number }) {
  const disk = statfsSync(world.stateFolder);
  const [free, needed] = [disk.bavail * disk.bsize, input.rows * BYTES_EACH + BYTES_BESIDE];
  const inGb = (bytes: number) => `${(bytes / 1e9).toFixed(1)} GB`;
  deps.log(`growth: ${input.rows} withdrawals need ${inGb(needed)} of disk, ${inGb(free)} are free`);
  if (free < needed) throw new Error(`not enough disk under ${world.stateFolder}: fewer with \`--rows\``);
  const group = await openGrowthGroup(deps, world, input);
  try {
    const rounds = await runRounds({ log: deps.log, signal: deps.life.signal }, { group, ...MODE });
    const goals = judgeGoals(growthGoals(), new Map([[group.name, rounds]]));
    return { group, rounds, goals, sizes: await group.sizes() };
  } finally {
    await group.close();
  }
}

/** All of them as one: as good as the worst. */
export function worstOf(goals: readonly GoalResult[], rows: number): GoalResult[] {
  const [worst] = [...goals].sort((left, right) => right.ratio.median - left.ratio.median);
  if (worst === undefined) return [];
  const title = `after ${rows.toLocaleString('en')} withdrawals, the worst of ${goals.length} looks (${worst.title})`;
  return [{ ...worst, id: 'growth_worst', title }];
}

function sizeTable(sizes: readonly { table: string; tableBytes: number; indexBytes: number }[], rows: number): string {
  const inMb = (bytes: number) => Math.round(bytes / 1e6).toLocaleString('en');
  const total = sizes.reduce((sum, { tableBytes, indexBytes }) => sum + tableBytes + indexBytes, 0);
  return [
    '| table | MB | indexes, MB |',
    '|---|---|---|',
    ...sizes.map((one) => `| \`${one.table}\` | ${inMb(one.tableBytes)} | ${inMb(one.indexBytes)} |`),
    `| together: ${Math.round(total / rows).toLocaleString('en')} bytes a withdrawal | ${inMb(total)} | |`,
  ].join('\n');
}
