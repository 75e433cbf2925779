import { expect, test } from 'vitest';
import { readListFilters, toListQuestion, writeListFilters } from './list-filters.ts';

const read = (query: string) => readListFilters(new URLSearchParams(query));

test('an empty URL shows everything, worst first', () => {
  expect(read('')).toEqual({ status: null, search: '', sort: 'worst_first', only: null });
  expect(writeListFilters(read(''))).toBe('');
});

test('filters come back from the URL they were written to', () => {
  const filters = { status: 'in_doubt', search: 'alice+1@demo.cryptoex.test', sort: 'newest', only: null } as const;
  expect(read(writeListFilters(filters))).toEqual(filters);
});

test('what the URL makes up is left out', () => {
  expect(read('status=paid&sort=best&only=lost')).toEqual({
    status: null,
    search: '',
    sort: 'worst_first',
    only: null,
  });
});

test('a narrowed list is asked for by nothing else, and its day begins at midnight here', () => {
  const now = new Date(2026, 10, 30, 3, 12);
  expect(writeListFilters(read('?only=failed_today&status=queued'))).toBe('?only=failed_today');
  expect(toListQuestion(read('only=failed_today'), now)).toEqual({
    sort: 'newest',
    failedSince: new Date(2026, 10, 30).toISOString(),
  });
  expect(toListQuestion(read('only=stuck'), now)).toEqual({ sort: 'worst_first', stuck: true });
  expect(toListQuestion(read('status=queued&search=x'), now)).toEqual({
    sort: 'worst_first',
    status: 'queued',
    search: 'x',
  });
});
