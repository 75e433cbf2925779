import { expect, test } from 'vitest';
import { emailDomainOf } from './email-domain.ts';

test('a domain is found with and without its @, and nothing else is one', () => {
  expect([' @Bank.Example ', 'bank.example', '@sub.bank.example'].map(emailDomainOf)).toEqual([
    'bank.example',
    'bank.example',
    'sub.bank.example',
  ]);
  expect(['alice@bank.example', 'alice', '@bank', '', '0xabc', '%.%'].map(emailDomainOf)).toEqual(Array(6).fill(null));
});
