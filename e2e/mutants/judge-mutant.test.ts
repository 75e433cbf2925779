import { expect, test } from 'vitest';
import { judgeMutant, type NamedRun } from './judge-mutant.ts';

const PASSED: NamedRun = { ran: 1, failure: null, trouble: null };
const failed = (failure: string): NamedRun => ({ ...PASSED, failure });

test('a mutant is killed only by an assertion of the one test that is named for it', () => {
  expect(judgeMutant(PASSED, failed('AssertionError: expected 2 to be 1\n at here'))).toEqual({
    kind: 'killed',
    detail: 'AssertionError: expected 2 to be 1',
  });
  expect(judgeMutant(PASSED, PASSED).kind).toBe('survived');
});

test.each<[string, NamedRun, NamedRun]>([
  ['a suite that could not load', PASSED, { ran: 0, failure: null, trouble: 'SyntaxError: no' }],
  ['a test that ran out of time', PASSED, failed('Error: Test timed out in 60000ms.')],
  ['an error that nobody expected', PASSED, failed('TypeError: undefined is no function')],
  ['a test that fails anyway', failed('AssertionError: no'), failed('AssertionError: no')],
  ['a name that no test has', { ...PASSED, ran: 0 }, failed('AssertionError: no')],
  ['a name that two tests have', { ...PASSED, ran: 2 }, failed('AssertionError: no')],
])('%s kills no mutant', (_, healthy, sick) => {
  expect(judgeMutant(healthy, sick).kind).toBe('not_run');
});
