import { expect, test } from 'vitest';
import { historyQuery, historySearch, NO_FILTER, readHistoryFilter } from './history-filter.ts';

test('filters survive the way into an address and back', () => {
  const filter = { ...NO_FILTER, status: 'completed', asset: 'USDC', from: '2026-11-01', search: '0xAb & c' };
  expect(readHistoryFilter(new URLSearchParams(historySearch(filter)))).toEqual(filter);
});

test('what is no filter of ours asks for nothing', () => {
  const read = readHistoryFilter(new URLSearchParams('status=stolen&from=yesterday&page=9'));
  expect(read).toEqual(NO_FILTER);
  expect(Object.values(historyQuery(read)).every((value) => value === null)).toBe(true);
});

test('a last day is meant whole', () => {
  const { from, until } = historyQuery({ ...NO_FILTER, from: '2026-11-30', until: '2026-11-30' });
  expect(Date.parse(until ?? '') - Date.parse(from ?? '')).toBe(24 * 3_600_000);
});
