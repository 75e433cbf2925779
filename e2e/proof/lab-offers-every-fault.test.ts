import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { enOperatorLab } from '../../app/_words/en-operator-lab.ts';

test('every fault of the provider is a switch of the lab, and no other', () => {
  // Read as a text: nothing of ours knows custody from within.
  const source = readFileSync(join(import.meta.dirname, '../../mock-custody/faults/fault-kinds.ts'), 'utf8');
  const table = /faultPoints = \{(.*?)\}/s.exec(source)?.[1] ?? '';
  const kinds = [...table.matchAll(/^ {2}(\w+):/gm)].flatMap(([, kind]) => kind ?? []);
  expect(kinds.length).toBeGreaterThan(30);
  expect(Object.keys(enOperatorLab.lab.kinds).toSorted()).toEqual(kinds.toSorted());
});
