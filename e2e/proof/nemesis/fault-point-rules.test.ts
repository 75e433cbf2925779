import { expect, it } from 'vitest';
import { FAULT_POINTS, parseFaultRules } from '#server/fault-points.ts';
import { createSeededRandom } from '../seeded-random.ts';
import { createFaultPointRules } from './fault-point-rules.ts';

const STARTS = 16;

it('strikes every point in every way within as many starts as a worker has points, early in the life of each process', () => {
  const next = createFaultPointRules(createSeededRandom(7));
  const rules = Array.from({ length: STARTS }, () => [next('web'), next('worker')])
    .flat()
    .flatMap(parseFaultRules);
  for (const deed of ['throw', 'stop', 'kill'])
    expect(new Set(rules.filter((rule) => rule.deed === deed).map(({ point }) => point))).toEqual(
      new Set(FAULT_POINTS),
    );
});

it('lets a process live longer once everything was struck', () => {
  const next = createFaultPointRules(createSeededRandom(7));
  const kills = Array.from({ length: STARTS * 4 }, () => next('worker'))
    .flatMap(parseFaultRules)
    .filter(({ deed }) => deed === 'kill');
  const meanVisit = (some: typeof kills) => some.reduce((sum, { visit }) => sum + (visit ?? 0), 0) / some.length;
  expect(meanVisit(kills.slice(0, STARTS))).toBeLessThan(12);
  expect(meanVisit(kills.slice(STARTS))).toBeGreaterThan(30);
});
