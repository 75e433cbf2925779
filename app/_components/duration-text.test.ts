import { expect, test } from 'vitest';
import { durationText } from './duration-text.ts';

test.each([
  [-1, '0 s'],
  [0, '0 s'],
  [0.9, '0 s'],
  [59, '59 s'],
  [60, '1 min'],
  [61, '1 min 1 s'],
  [3_600, '1 h'],
  [3_661, '1 h 1 min'],
  [86_399, '23 h 59 min'],
  [86_400, '1 d'],
  [90_000, '1 d 1 h'],
])('%d seconds read as %s', (seconds, text) => {
  expect(durationText(seconds)).toBe(text);
});
