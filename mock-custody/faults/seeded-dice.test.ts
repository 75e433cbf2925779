import { expect, test } from 'vitest';
import { createDice } from './seeded-dice.ts';

const rolls = (seed: number): number[] => {
  const die = createDice(seed);
  return Array.from({ length: 1_000 }, die);
};

test('the same seed rolls the same numbers, another seed others', () => {
  expect(rolls(1)).toEqual(rolls(1));
  expect(rolls(1)).not.toEqual(rolls(2));
});

test('the numbers lie between 0 and 1, about half of them below a half', () => {
  const all = rolls(3);
  expect(all.every((roll) => roll >= 0 && roll < 1)).toBe(true);
  const low = all.filter((roll) => roll < 0.5).length;
  expect(low).toBeGreaterThan(430);
  expect(low).toBeLessThan(570);
});
