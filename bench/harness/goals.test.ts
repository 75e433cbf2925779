import { expect, test } from 'vitest';
import type { Turn } from './contestant.ts';
import { findRegressions, type Goal, judgeGoals } from './goals.ts';

const aTurn = (operations: number, postgresMs = 0): Turn => ({
  operations,
  seconds: 1,
  cpuMs: { bench: 999, postgres: postgresMs },
});
const goal: Goal = {
  id: 'g',
  title: 'ours beside theirs',
  group: 'group',
  of: 'rate',
  ours: 'ours',
  theirs: 'theirs',
  is: 'at_least',
  aim: 1.2,
};
const measured = (ours: Turn[], theirs: Turn[]) =>
  new Map([
    [
      'group',
      new Map([
        ['ours', ours],
        ['theirs', theirs],
      ]),
    ],
  ]);

test('a ratio is that of neighbours, so a slow minute of the machine moves no goal', () => {
  const [result] = judgeGoals(
    [goal],
    measured([aTurn(130), aTurn(13), aTurn(260)], [aTurn(100), aTurn(10), aTurn(200)]),
  );
  expect(result).toMatchObject({ met: true, ratio: { median: 1.3, min: 1.3, max: 1.3 } });
});

test.each([
  [120, true],
  [119, false],
])('the aim itself is met: %s of 100', (operations, met) => {
  expect(judgeGoals([goal], measured([aTurn(operations)], [aTurn(100)]))[0]).toMatchObject({ met });
});

test('CPU is counted an operation and without the load generator', () => {
  const cpu: Goal = { ...goal, of: 'cpu', is: 'at_most', aim: 1.2 };
  const [result] = judgeGoals([cpu], measured([aTurn(100, 120)], [aTurn(200, 200)]));
  expect(result).toMatchObject({ met: true, ratio: { median: 1.2 } });
});

test('a goal of one contestant is judged by its own figure', () => {
  const turn = { ...aTurn(3), latencyMs: [9, 30, 8] };
  const quiet: Goal = { ...goal, of: 'latency', theirs: null, is: 'at_most', aim: 10 };
  expect(judgeGoals([quiet], measured([turn], []))[0]).toMatchObject({ met: true, unit: 'ms', ratio: { median: 9 } });
});

test('a goal whose group was not measured is neither met nor missed', () => {
  expect(judgeGoals([goal], new Map())).toEqual([]);
});

test('worse by more than the tolerance is a regression, in the direction that is worse', () => {
  const spread = (median: number) => ({ median, min: median, max: median });
  const result = (is: Goal['is'], median: number) => ({
    id: 'g',
    title: 'ours',
    is,
    aim: 1,
    unit: '×' as const,
    met: true,
    ratio: spread(median),
  });
  const kept = [{ id: 'g', ratio: spread(2) }];
  expect(findRegressions([result('at_least', 1.71)], kept, 0.15)).toEqual([]);
  expect(findRegressions([result('at_least', 1.69)], kept, 0.15)).toHaveLength(1);
  expect(findRegressions([result('at_most', 2.29)], kept, 0.15)).toEqual([]);
  expect(findRegressions([result('at_most', 2.31)], kept, 0.15)).toHaveLength(1);
});
