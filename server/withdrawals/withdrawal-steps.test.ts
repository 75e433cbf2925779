import { expect, test } from 'vitest';
import { WITHDRAWAL_STATUSES, type WithdrawalStatus } from '#domain/withdrawal.ts';
import { stepsOf } from '#server/withdrawals/withdrawal-steps.ts';

const at = (second: number) => new Date(Date.UTC(2026, 10, 30, 12, 0, second));
const seen = (status: WithdrawalStatus, more: object = {}) =>
  stepsOf({ status, requestedAt: at(0), submittedAt: null, broadcastAt: null, endedAt: null, ...more });
const short = (steps: ReturnType<typeof stepsOf>) => steps.map((step) => `${step.step} ${step.state}`);

test.each(['queued', 'dispatching', 'in_doubt', 'submitted'] as const)(
  '%s is being sent, in the words of a customer',
  (status) => {
    expect(short(seen(status))).toEqual([
      'requested done',
      'sending current',
      'on_the_network expected',
      'completed expected',
    ]);
  },
);

test('each step that is behind carries its time', () => {
  const times = { submittedAt: at(1), broadcastAt: at(2), endedAt: at(3) };
  expect(seen('completed', times)).toEqual([
    { step: 'requested', at: at(0), state: 'done' },
    { step: 'sending', at: at(1), state: 'done' },
    { step: 'on_the_network', at: at(2), state: 'done' },
    { step: 'completed', at: at(3), state: 'done' },
  ]);
});

test('a broadcast withdrawal is on the network until it is final', () => {
  expect(short(seen('broadcast', { submittedAt: at(1), broadcastAt: at(2) }))).toEqual([
    'requested done',
    'sending done',
    'on_the_network current',
    'completed expected',
  ]);
});

test('a review stands between the request and the sending', () => {
  expect(short(seen('awaiting_approval'))[1]).toBe('under_review current');
});

test.each([
  ['refused', {}, ['requested', 'refused']],
  ['cancelled', {}, ['requested', 'cancelled']],
  ['rejected', {}, ['requested', 'under_review', 'rejected']],
  ['failed', {}, ['requested', 'failed']],
  ['failed', { submittedAt: at(1), broadcastAt: at(2) }, ['requested', 'sending', 'on_the_network', 'failed']],
] as const)('%s ends the way where it was, and expects nothing more', (status, more, steps) => {
  const way = seen(status, { ...more, endedAt: at(9) });
  expect(way.map((step) => step.step)).toEqual(steps);
  expect(way.every((step) => step.state === 'done')).toBe(true);
  expect(way.at(-1)?.at).toEqual(at(9));
});

test.each(WITHDRAWAL_STATUSES)('%s has at most one current step', (status) => {
  expect(seen(status, { endedAt: at(9) }).filter((step) => step.state === 'current').length).toBeLessThanOrEqual(1);
});
