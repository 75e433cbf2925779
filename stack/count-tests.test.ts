import { expect, test } from 'vitest';
import { countSpecs } from './run-browser-tests.ts';
import { countTests } from './run-vitest.ts';

const file = { status: 'passed', assertionResults: [{}] };

test('tests that passed and failed are counted', () => {
  const report = { numTotalTests: 5, numPassedTests: 3, testResults: [file] };
  expect(countTests(JSON.stringify(report), 1)).toEqual({ passed: 3, failed: 2 });
});

test('a skipped test has failed, whatever the exit code says', () => {
  const report = { numTotalTests: 4, numPassedTests: 3, testResults: [file] };
  expect(countTests(JSON.stringify(report), 0)).toEqual({ passed: 3, failed: 1 });
});

test('a file that cannot be loaded has failed', () => {
  const report = {
    numTotalTests: 3,
    numPassedTests: 3,
    testResults: [file, { status: 'failed', assertionResults: [] }],
  };
  expect(countTests(JSON.stringify(report), 1)).toEqual({ passed: 3, failed: 1 });
});

test('a run that ended badly has a failure even when all its tests passed', () => {
  const report = { numTotalTests: 3, numPassedTests: 3, testResults: [file] };
  expect(countTests(JSON.stringify(report), 1)).toEqual({ passed: 3, failed: 1 });
  expect(countTests(JSON.stringify(report), 0)).toEqual({ passed: 3, failed: 0 });
});

test('a run without a report has failed', () => {
  expect(countTests(undefined, 0)).toEqual({ passed: 0, failed: 1 });
  expect(countSpecs(undefined, 0)).toEqual({ passed: 0, failed: 1 });
});

test('of specs only those that passed at once have passed', () => {
  const report = { stats: { expected: 7, unexpected: 1, flaky: 1, skipped: 1 }, errors: [] };
  expect(countSpecs(JSON.stringify(report), 1)).toEqual({ passed: 7, failed: 3 });
});

test('an error outside of every spec is a failure', () => {
  const report = { stats: { expected: 7, unexpected: 0, flaky: 0, skipped: 0 }, errors: [{}] };
  expect(countSpecs(JSON.stringify(report), 1)).toEqual({ passed: 7, failed: 1 });
});
