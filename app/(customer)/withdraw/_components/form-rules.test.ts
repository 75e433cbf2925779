import { expect, test } from 'vitest';
import { en } from '../../../_words/en.ts';
import { amountVerdict, onlyNetwork, roughWorth } from './form-rules.ts';

const quote = {
  fee: '0.5',
  minimum: '1',
  available: '100',
  decimals: 6,
  paused: false,
  maximumOnTop: '99.5',
  maximumFromAmount: '100',
  limit: null,
  worth: null,
};
const limit = {
  currency: 'USD',
  left24h: '50',
  left30d: '500',
  assetCapLeft: null,
  withoutApproval: '50',
  withoutApprovalToNewAddress: null,
  refusedAbove: '80',
  reasons: [],
};
const verdict = (text: string) => amountVerdict({ amount: text, feeMode: 'on_top' }, 'USDC', quote, en);
const network = {
  networkId: 'ethereum',
  name: 'Ethereum',
  family: 'evm' as const,
  minimum: '1',
  fee: '0.5',
  confirmationsRequired: 12,
  memoRule: 'none' as const,
  explorerTransactionTemplate: 'https://example.test/{hash}',
  enabled: true,
  contract: null,
};
const asset = (networks: (typeof network)[]) => ({ assetId: 'USDT', name: 'Tether USD', decimals: 6, networks });

test('what arrives, what leaves and what remains add up exactly', () => {
  expect(verdict(' 1.500000 ')).toEqual({
    kind: 'ok',
    asked: '1.5',
    amount: '1.5',
    total: '2',
    remains: '98',
    reviewed: false,
  });
});

test('exactly at a limit nobody looks and nothing is refused; one unit more is said before it is sent', () => {
  const of = (amount: string) => amountVerdict({ amount, feeMode: 'on_top' }, 'USDC', { ...quote, limit }, en);
  expect(of('49.5')).toMatchObject({ kind: 'ok', reviewed: false });
  expect(of('49.500001')).toMatchObject({ kind: 'ok', reviewed: true });
  expect(of('79.5')).toMatchObject({ kind: 'ok', reviewed: true });
  expect(of('79.500001')).toEqual({ kind: 'problem', message: en.form.missing.beyondLimit('80', 'USDC') });
});

test('a fee that is taken from the amount leaves the balance no smaller than what was asked for', () => {
  const typed = { amount: '100', feeMode: 'from_amount' } as const;
  expect(amountVerdict(typed, 'USDC', quote, en)).toEqual({
    kind: 'ok',
    asked: '100',
    amount: '99.5',
    total: '100',
    remains: '0',
    reviewed: false,
  });
});

test('the maximum leaves nothing behind', () => {
  expect(verdict('99.5')).toMatchObject({ kind: 'ok', remains: '0' });
});

test.each(['99.500001', '100', '0.999999', '0', '-1', '1e2', '1,5', '1.0000001', '.5', '5.', '0x5', '１'])(
  '%s is refused with a sentence',
  (text) => {
    const answer = verdict(text);
    expect(answer.kind).toBe('problem');
    if (answer.kind === 'problem') expect(answer.message.length).toBeGreaterThan(10);
  },
);

test('nothing typed is no problem yet', () => {
  expect(verdict('  ')).toEqual({ kind: 'empty' });
});

test('a network is filled in only where there is no other', () => {
  expect(onlyNetwork(asset([network]))?.networkId).toBe('ethereum');
  expect(onlyNetwork(asset([network, { ...network, networkId: 'tron' }]))).toBeNull();
  expect(onlyNetwork(asset([{ ...network, enabled: false }]))).toBeNull();
  expect(onlyNetwork(null)).toBeNull();
});

test.each([
  ['2', 6, '1', '2'],
  ['0.5', 18, '3012.5', '1506.25'],
  ['1.999999', 6, '1.00000001', '1.99'],
  ['0.000001', 6, '1', '0'],
])('%s of %i decimals at %s is worth about %s', (amount, decimals, perUnit, worth) => {
  expect(roughWorth(amount, decimals, perUnit)).toBe(worth);
});
