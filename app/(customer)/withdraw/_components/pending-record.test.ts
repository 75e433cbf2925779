import { expect, test } from 'vitest';
import { mayHaveArrived, newPendingRecord, parsePendingRecord, withAnswer, withSend } from './pending-record.ts';

const minted = newPendingRecord({
  key: '3f0e9f0e-6a55-4b8e-9a53-5f0a6f6b8f11',
  draftId: 'd1',
  fingerprint: 'f1',
  mintedAt: '2026-11-30T14:03:00.000Z',
});

test('a minted key that was never sent cannot have arrived', () => {
  expect(mayHaveArrived(minted)).toBe(false);
});

test('a sent key may have arrived until every send is answered', () => {
  const twice = withSend(withSend(minted));
  expect(mayHaveArrived(twice)).toBe(true);
  expect(mayHaveArrived(withAnswer(twice))).toBe(true);
  expect(mayHaveArrived(withAnswer(withAnswer(twice)))).toBe(false);
});

test('more answers than sends never make the count negative', () => {
  expect(withAnswer(minted).unansweredSends).toBe(0);
});

test('a stored record is read back unchanged', () => {
  expect(parsePendingRecord(JSON.stringify(withSend(minted)))).toEqual(withSend(minted));
});

test.each([
  null,
  '',
  'null',
  '7',
  '{',
  '{}',
  JSON.stringify({ ...minted, unansweredSends: -1 }),
  JSON.stringify({ ...minted, unansweredSends: '1' }),
  JSON.stringify({ ...minted, key: 1 }),
])('%s is no record', (text) => {
  expect(parsePendingRecord(text)).toBeNull();
});

test('a record holds no field beyond the bare key', () => {
  const stored = JSON.stringify({ ...minted, address: '0xabc', amount: '1.5' });
  expect(Object.keys(parsePendingRecord(stored) ?? {}).sort()).toEqual(
    ['draftId', 'fingerprint', 'key', 'mintedAt', 'unansweredSends'].sort(),
  );
});
