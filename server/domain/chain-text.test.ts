import { expect, it } from 'vitest';
import { canonicalChainText } from '#domain/chain-text.ts';

it.each([
  ['0x5FbDB2315678afecb367f032d93F642f64180aa3', '0x5fbdb2315678afecb367f032d93f642f64180aa3'],
  ['0XAB', '0xab'],
  ['rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh', 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh'],
  ['TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t', 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'],
  ['AB'.repeat(32), 'AB'.repeat(32)],
  ['', ''],
])('%s is compared as %s', (text, canonical) => {
  expect(canonicalChainText(text)).toBe(canonical);
});
