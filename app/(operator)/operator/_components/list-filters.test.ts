import { expect, test } from 'vitest';
import { readListFilters, writeListFilters } from './list-filters.ts';

const read = (query: string) => readListFilters(new URLSearchParams(query));

test('an empty URL shows everything, worst first', () => {
  expect(read('')).toEqual({ status: null, search: '', sort: 'worst_first' });
  expect(writeListFilters(read(''))).toBe('');
});

test('filters come back from the URL they were written to', () => {
  const filters = { status: 'in_doubt', search: 'alice+1@demo.cryptoex.test', sort: 'newest' } as const;
  expect(read(writeListFilters(filters))).toEqual(filters);
});

test('what the URL makes up is left out', () => {
  expect(read('status=paid&sort=best')).toEqual({ status: null, search: '', sort: 'worst_first' });
});
