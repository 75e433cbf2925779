import { expect, test } from 'vitest';
import { countApprovals, mayApprove } from '#domain/withdrawal-approval.ts';

const CURRENT = { payloadHash: 'h1', revision: 3n };
const BASE = { requesterId: 'customer', operatorId: 'op1', seen: CURRENT, current: CURRENT, given: [] };

test('an operator approves what they saw', () => {
  expect(mayApprove(BASE)).toEqual({ allowed: true });
});

test('nobody approves their own request', () => {
  expect(mayApprove({ ...BASE, operatorId: 'customer' })).toEqual({ allowed: false, reason: 'own_request' });
});

test('a changed payload or any new evidence makes what they saw worthless', () => {
  for (const seen of [
    { ...CURRENT, payloadHash: 'h2' },
    { ...CURRENT, revision: 2n },
  ]) {
    expect(mayApprove({ ...BASE, seen })).toEqual({ allowed: false, reason: 'payload_changed' });
  }
});

test('the second approval is a second person’s', () => {
  const given = [{ ...CURRENT, operatorId: 'op1' }];
  expect(mayApprove({ ...BASE, given })).toEqual({ allowed: false, reason: 'same_operator_twice' });
  expect(mayApprove({ ...BASE, operatorId: 'op2', given })).toEqual({ allowed: true });
});

test('only approvals of this payload at this revision count, and each person once', () => {
  const given = [
    { ...CURRENT, operatorId: 'op1' },
    { ...CURRENT, operatorId: 'op1' },
    { ...CURRENT, revision: 2n, operatorId: 'op2' },
    { ...CURRENT, payloadHash: 'h2', operatorId: 'op3' },
  ];
  expect(countApprovals(given, CURRENT)).toBe(1);
  expect(countApprovals([...given, { ...CURRENT, operatorId: 'op2' }], CURRENT)).toBe(2);
});
