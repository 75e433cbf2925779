import { expect, it } from 'vitest';
import { sumUpSoak } from './soak-result.ts';

const answer = (dueMs: number, tookMs: number | null, isDuplicate = false) => ({ dueMs, tookMs, isDuplicate });
const MINUTE = 60_000;

it('compares the last sixth with the first and leaves out what was never answered', () => {
  const answers = [answer(0, 10), answer(MINUTE * 3, 900), answer(MINUTE * 5, 30, true), answer(MINUTE * 5.5, null)];
  const { p99Ms, duplicates, unanswered } = sumUpSoak({ minutes: 6, answers, memory: [] });
  expect({ p99Ms, duplicates, unanswered }).toEqual({
    p99Ms: { first: 10, last: 30, ratio: 3 },
    duplicates: 1,
    unanswered: 1,
  });
});

it('takes no slope from the first sixth, in which a process finds its size', () => {
  const mb = 1_048_576;
  const memory = [0, 1, 2, 3, 4, 5].map((minute) => ({
    atMs: minute * MINUTE,
    web: (minute === 0 ? 50 : 100) * mb,
    worker: null,
  }));
  const answers = [answer(0, 1), answer(MINUTE * 5, 1)];
  const { memory: found } = sumUpSoak({ minutes: 6, answers, memory });
  expect(found).toEqual({ web: { maxMb: 100, mbAnHour: 0 }, worker: { maxMb: null, mbAnHour: null } });
});
