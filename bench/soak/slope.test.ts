import { expect, it } from 'vitest';
import { slopeAnHour } from './slope.ts';

it.each([
  { what: 'level', values: [5, 5, 5], slope: 0 },
  { what: 'rising by two an hour', values: [1, 2, 3], slope: 2 },
  { what: 'falling', values: [3, 2, 1], slope: -2 },
])('tells what is $what', ({ values, slope }) => {
  expect(slopeAnHour(values.map((value, index) => ({ atHours: index / 2, value })))).toBeCloseTo(slope);
});

it('says nothing of one point', () => {
  expect(slopeAnHour([{ atHours: 0, value: 1 }])).toBeNull();
});
