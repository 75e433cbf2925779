import type { Turn } from './contestant.ts';
import type { Rounds } from './run-rounds.ts';
import { percentile, type Spread, spreadOf } from './spread.ts';

/** A promise about two contestants of one group, kept by the ratio of what each came to in the same round; or about one. */
export interface Goal {
  readonly id: string;
  readonly title: string;
  readonly group: string;
  /**
   * What is set in relation: a rate, CPU an operation over all processes but the bench's own, the median latency, or the most that a
   * process kept in memory.
   */
  readonly of: 'rate' | 'cpu' | 'latency' | `memory of ${string}`;
  readonly ours: string;
  /** Null where the aim is a figure of its own and no ratio. */
  readonly theirs: string | null;
  /** `at_least` for what should be large, `at_most` for what should be small. */
  readonly is: 'at_least' | 'at_most';
  readonly aim: number;
}

export interface GoalResult {
  readonly id: string;
  readonly title: string;
  readonly is: Goal['is'];
  readonly aim: number;
  /** A ratio's `×`, or what a figure of its own is counted in. */
  readonly unit: '×' | 'ms' | 'MB';
  readonly ratio: Spread;
  readonly met: boolean;
}

/** The goals whose groups were measured, each with the median of its ratios, round by round. */
export function judgeGoals(goals: readonly Goal[], measured: ReadonlyMap<string, Rounds>): GoalResult[] {
  return goals.flatMap((goal) => {
    const rounds = measured.get(goal.group);
    const ours = rounds?.get(goal.ours);
    const theirs = goal.theirs === null ? null : rounds?.get(goal.theirs);
    if (ours === undefined || theirs === undefined) return [];
    const ratio = spreadOf(
      ours.flatMap((turn, round) => {
        if (theirs === null) return [readingOf(goal.of, turn)];
        const other = theirs[round];
        return other === undefined ? [] : [readingOf(goal.of, turn) / readingOf(goal.of, other)];
      }),
    );
    const met = goal.is === 'at_least' ? ratio.median >= goal.aim : ratio.median <= goal.aim;
    const { id, title, is, aim } = goal;
    const own = goal.of.startsWith('memory of ') ? 'MB' : 'ms';
    return [{ id, title, is, aim, unit: goal.theirs === null ? own : '×', ratio, met }];
  });
}

/** Operations a second, milliseconds of CPU an operation, the median latency in milliseconds, or megabytes. */
export function readingOf(what: Goal['of'], turn: Turn): number {
  if (what === 'rate') return turn.operations / turn.seconds;
  if (what === 'cpu') return cpuEachMs(turn);
  if (what !== 'latency') return turn.memoryMb?.[what.slice('memory of '.length)] ?? Number.NaN;
  return percentile(
    [...(turn.latencyMs ?? [])].sort((left, right) => left - right),
    0.5,
  );
}

/** Where contestants run in the bench's own process, its time is theirs; where they do not, it is the load's. */
function cpuEachMs(turn: Turn): number {
  const all = Object.entries(turn.cpuMs);
  const counted = all.filter(([name]) => name !== 'bench');
  return counted.reduce((sum, [, ms]) => sum + ms, 0) / turn.operations;
}

/**
 * What became clearly worse than the result that is kept.
 *
 * @returns a line for each goal whose ratio moved the wrong way by more than `tolerance`
 */
export function findRegressions(
  now: readonly GoalResult[],
  kept: readonly Pick<GoalResult, 'id' | 'ratio'>[],
  tolerance: number,
): string[] {
  return now.flatMap((goal) => {
    const before = kept.find((one) => one.id === goal.id);
    // A figure of its own is the machine's, and no machine is the one before.
    if (before === undefined || goal.unit !== '×') return [];
    const change = goal.ratio.median / before.ratio.median;
    const isWorse = goal.is === 'at_least' ? change < 1 - tolerance : change > 1 + tolerance;
    if (!isWorse) return [];
    return [`${goal.title}: ${before.ratio.median.toFixed(2)} before, ${goal.ratio.median.toFixed(2)} now`];
  });
}
