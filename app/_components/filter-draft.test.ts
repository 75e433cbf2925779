import { expect, test } from 'vitest';
import { hearAddress } from './filter-draft.ts';

test('what was typed while the address followed stays, and the next applied address is still waited for', () => {
  const draft = { values: { search: 'typed since' }, heard: '', pending: ['?search=a', '?search=b'] };
  const first = hearAddress(draft, { search: 'a' }, '?search=a');
  expect(first).toEqual({ values: { search: 'typed since' }, heard: '?search=a', pending: ['?search=b'] });
  expect(hearAddress(first, { search: 'b' }, '?search=b').values).toEqual({ search: 'typed since' });
});

test('an address that was skipped is not waited for, and one from elsewhere fills the form anew', () => {
  const draft = { values: { search: 'c' }, heard: '', pending: ['?search=a', '?search=b'] };
  expect(hearAddress(draft, { search: 'b' }, '?search=b')).toMatchObject({ values: { search: 'c' }, pending: [] });
  expect(hearAddress(draft, { search: 'z' }, '?search=z')).toEqual({
    values: { search: 'z' },
    heard: '?search=z',
    pending: [],
  });
});
