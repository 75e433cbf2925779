import { expect, test } from 'vitest';
import { nextPollDelayMs } from './poll-schedule.ts';

const moving = { status: 'queued', pollsInStatus: 0, httpStatus: null } as const;

test('while steps follow each other the distance doubles from 150 ms to 2 s', () => {
  const delays = [0, 1, 2, 3, 4, 5, 100].map((pollsInStatus) => nextPollDelayMs({ ...moving, pollsInStatus }));
  expect(delays).toEqual([150, 300, 600, 1_200, 2_000, 2_000, 2_000]);
});

test.each(['queued', 'dispatching', 'in_doubt', 'submitted'] as const)('%s is asked about quickly', (status) => {
  expect(nextPollDelayMs({ ...moving, status })).toBe(150);
});

test.each(['broadcast', 'awaiting_approval'] as const)('%s is asked about every 15 s', (status) => {
  expect(nextPollDelayMs({ ...moving, status, pollsInStatus: 7 })).toBe(15_000);
});

test.each(['completed', 'refused', 'failed', 'cancelled', 'rejected'] as const)(
  '%s is not asked about again',
  (status) => {
    expect(nextPollDelayMs({ ...moving, status })).toBe(false);
  },
);

test.each([401, 404])('an answer of %i stops the polling', (httpStatus) => {
  expect(nextPollDelayMs({ ...moving, httpStatus })).toBe(false);
});

test.each([null, 429, 500, 503])('a poll that failed with %s goes on', (httpStatus) => {
  expect(nextPollDelayMs({ ...moving, httpStatus, pollsInStatus: 9 })).toBe(2_000);
});
