import { expect, test } from 'vitest';
import { compileContracts } from './compile.ts';

test('the demo contracts compile without a network', () => {
  const contracts = compileContracts();
  expect(Object.keys(contracts).toSorted()).toEqual(['DollarToken', 'DoublePayer', 'FeeToken']);
  for (const { bytecode } of Object.values(contracts)) expect(bytecode.length).toBeGreaterThan(500);
}, 120_000);
