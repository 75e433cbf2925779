import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { PROJECT_ROOT } from '#stack/project-root.ts';
import type { Group } from './contestant.ts';
import { type GoalResult, readingOf } from './goals.ts';
import type { Rounds } from './run-rounds.ts';
import { spreadOf } from './spread.ts';

const spread = z.object({ median: z.number(), min: z.number(), max: z.number() });
const resultSchema = z.object({
  at: z.string(),
  /** Of the sources, so that a figure can be traced to what it measured. */
  commit: z.string(),
  mode: z.string(),
  machine: z.object({ cpus: z.number(), model: z.string(), node: z.string(), loadBefore: z.number() }),
  groups: z.array(
    z.object({
      name: z.string(),
      contestants: z.array(
        z.object({
          name: z.string(),
          how: z.string(),
          perSecond: spread,
          /** Milliseconds of CPU an operation, by process; the median. */
          cpuMsEach: z.record(z.string(), z.number()),
          latencyMs: spread.nullable(),
        }),
      ),
    }),
  ),
  goals: z.array(
    z.object({
      id: z.string(),
      title: z.string(),
      is: z.enum(['at_least', 'at_most']),
      aim: z.number(),
      unit: z.enum(['×', 'ms', 'MB']),
      ratio: spread,
      met: z.boolean(),
    }),
  ),
});

export type BenchResult = z.infer<typeof resultSchema>;

const FOLDER = join(PROJECT_ROOT, 'bench', 'results');

/** Where the result of a mode is kept; the one in the repository is what later runs are compared with. */
export function resultFile(mode: string): string {
  return join(FOLDER, `${mode}.json`);
}

export function readKeptResult(mode: string): BenchResult | null {
  const path = resultFile(mode);
  return existsSync(path) ? resultSchema.parse(JSON.parse(readFileSync(path, 'utf8'))) : null;
}

export function keepResult(result: BenchResult): void {
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(resultFile(result.mode), `${JSON.stringify(result, null, 1)}\n`);
}

export function toResult(input: {
  mode: string;
  loadBefore: number;
  groups: readonly { group: Pick<Group, 'name' | 'contestants'>; rounds: Rounds }[];
  goals: readonly GoalResult[];
}): BenchResult {
  const [cpu] = cpus();
  return {
    at: new Date().toISOString(),
    commit: commitOf(),
    mode: input.mode,
    machine: {
      cpus: cpus().length,
      model: cpu?.model.trim() ?? 'unknown',
      node: process.version,
      loadBefore: round(input.loadBefore),
    },
    groups: input.groups.map(({ group, rounds }) => ({
      name: group.name,
      contestants: group.contestants.map(({ name, how }) => ({ name, how, ...figuresOf(rounds, name) })),
    })),
    goals: input.goals.map((goal) => ({ ...goal, ratio: roundSpread(goal.ratio) })),
  };
}

/** One minute's load before anything of ours ran: above half a processor the figures are those of a busy machine. */
export function readLoad(): number {
  return loadavg()[0] ?? 0;
}

function figuresOf(rounds: Rounds, name: string) {
  const turns = rounds.get(name) ?? [];
  const processes = [...new Set(turns.flatMap((turn) => Object.keys(turn.cpuMs)))];
  const each = (process: string) =>
    round(spreadOf(turns.map((turn) => (turn.cpuMs[process] ?? 0) / turn.operations)).median);
  const hasLatency = turns.every((turn) => turn.latencyMs !== undefined);
  return {
    perSecond: roundSpread(spreadOf(turns.map((turn) => readingOf('rate', turn)))),
    cpuMsEach: Object.fromEntries(processes.map((process) => [process, each(process)])),
    latencyMs: hasLatency ? roundSpread(spreadOf(turns.map((turn) => readingOf('latency', turn)))) : null,
  };
}

/** Of the sources, short. */
export function commitOf(): string {
  try {
    return execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: PROJECT_ROOT, encoding: 'utf8' }).trim();
  } catch {
    return 'unknown'; // An archive without its history.
  }
}

function roundSpread({ median, min, max }: { median: number; min: number; max: number }) {
  return { median: round(median), min: round(min), max: round(max) };
}

/** Three significant digits, which is more than a measurement is worth. */
function round(value: number): number {
  return Number(value.toPrecision(3));
}
