import { percentile } from '../harness/spread.ts';
import { slopeAnHour } from './slope.ts';
import type { SoakAnswer } from './soak-load.ts';

/** What each process kept in memory at one moment, in bytes. */
export interface MemorySample {
  readonly atMs: number;
  readonly web: number | null;
  readonly worker: number | null;
}

export interface SoakResult {
  readonly minutes: number;
  readonly clicks: number;
  readonly duplicates: number;
  readonly unanswered: number;
  readonly faults: number;
  readonly doubled: number;
  /** Neither paid nor refused when the time was over. */
  readonly open: number;
  readonly p99Ms: { readonly first: number; readonly last: number; readonly ratio: number };
  readonly memory: Readonly<Record<'web' | 'worker', MemoryResult>>;
}

interface MemoryResult {
  readonly maxMb: number | null;
  /** Of the line through everything after the first sixth, in which caches and heaps find their size. */
  readonly mbAnHour: number | null;
}

const MEGABYTE = 1_048_576;
const HOUR_MS = 3_600_000;

/** The first sixth and the last one: of an hour, ten minutes each. */
export function sumUpSoak(input: {
  minutes: number;
  answers: readonly SoakAnswer[];
  memory: readonly MemorySample[];
}): Pick<SoakResult, 'p99Ms' | 'memory' | 'duplicates' | 'unanswered'> {
  const { answers, memory } = input;
  const sixthMs = (input.minutes * 60_000) / 6;
  const p99 = (isIn: (answer: SoakAnswer) => boolean) => {
    const took = answers.flatMap((one) => (one.tookMs !== null && isIn(one) ? [one.tookMs] : []));
    return percentile(
      took.sort((left, right) => left - right),
      0.99,
    );
  };
  const [first, last] = [p99(({ dueMs }) => dueMs < sixthMs), p99(({ dueMs }) => dueMs >= sixthMs * 5)];
  const of = (name: 'web' | 'worker'): MemoryResult => {
    const points = memory.flatMap((sample) => {
      const bytes = sample[name];
      return bytes === null ? [] : [{ atMs: sample.atMs, value: bytes / MEGABYTE }];
    });
    const settled = points.filter(({ atMs }) => atMs >= sixthMs);
    return {
      maxMb: points.length === 0 ? null : Math.round(Math.max(...points.map(({ value }) => value))),
      mbAnHour: slopeAnHour(settled.map(({ atMs, value }) => ({ atHours: atMs / HOUR_MS, value }))),
    };
  };
  return {
    p99Ms: { first, last, ratio: last / first },
    memory: { web: of('web'), worker: of('worker') },
    duplicates: answers.filter(({ isDuplicate }) => isDuplicate).length,
    unanswered: answers.filter(({ tookMs }) => tookMs === null).length,
  };
}

// A slope of minutes is mostly noise; over an hour this is what a leak of a byte or two a request would come to.
const FLAT_MB_AN_HOUR = 10;
const AIMS = { webMb: 320, workerMb: 260, p99: 1.2 };

/** As Markdown, each line with its aim. */
export function soakTable(result: SoakResult): string {
  const { memory, p99Ms } = result;
  const line = (what: string, value: number | null, unit: string, aim: number, isIn: (value: number) => boolean) => {
    const shown = value === null ? 'not known here' : `${Number(value.toPrecision(3))} ${unit}`;
    const verdict = value === null ? '' : isIn(value) ? 'met' : '**missed**';
    return `| ${what} | ${shown} | ≤ ${aim} ${unit} | ${verdict} |`;
  };
  const most = (aim: number) => (value: number) => value <= aim;
  const ofProcess = (name: 'web' | 'worker', aimMb: number) => [
    line(`memory of ${name}, the most`, memory[name].maxMb, 'MB', aimMb, most(aimMb)),
    line(`memory of ${name}, slope`, memory[name].mbAnHour, 'MB an hour', FLAT_MB_AN_HOUR, most(FLAT_MB_AN_HOUR)),
  ];
  return [
    '| | measured | aim | |',
    '|---|---|---|---|',
    ...ofProcess('web', AIMS.webMb),
    ...ofProcess('worker', AIMS.workerMb),
    line('p99 of the last sixth beside the first', p99Ms.ratio, '×', AIMS.p99, most(AIMS.p99)),
    line('double transfers', result.doubled, '', 0, most(0)),
    line('neither paid nor refused at the end', result.open, '', 0, most(0)),
  ].join('\n');
}
