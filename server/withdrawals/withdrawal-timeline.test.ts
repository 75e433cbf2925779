import { expect, test } from 'vitest';
import type { Evidence } from '#server/withdrawals/find-evidence.ts';
import { timelineOf } from '#server/withdrawals/withdrawal-timeline.ts';

const at = (second: number) => new Date(Date.UTC(2026, 10, 30, 12, 0, second));
const nothing: Evidence = {
  customer_email: 'a@test.example',
  history: [],
  attempts: [],
  events: [],
  ledger: [],
  transactions: [],
  effects: [],
};

const MOVE = { actorName: null, note: null, fence: '0' };

test('everything that happened is one line each, in the order of time', () => {
  const timeline = timelineOf(
    {
      ...nothing,
      history: [
        { ...MOVE, from: null, to: 'queued', at: at(0), actor: 'customer', reason: 'requested' },
        { ...MOVE, from: 'queued', to: 'dispatching', at: at(1), actor: 'worker', reason: 'claimed', fence: '1' },
      ],
      ledger: [
        {
          kind: 'hold',
          at: at(0),
          leg: 1,
          debit: 'customer_available',
          credit: 'customer_held',
          amountMinor: 2_000_000n,
        },
      ],
      attempts: [
        {
          attempt: 1,
          kind: 'send',
          startedAt: at(1),
          bodySha256: 'ab',
          outcome: 'in_doubt',
          outcomeAt: at(3),
          detail: { reason: 'no_answer', nested: { left: 'out' } },
          notAfter: null,
          lateOutcome: 'accepted',
        },
      ],
      events: [
        { id: 'm1', type: 'transfer.accepted', receivedAt: at(2), appliedAt: null, outcome: null, reason: null },
      ],
    },
    6,
  );
  expect(timeline.map((entry) => `${entry.kind}: ${entry.title}; ${entry.detail}`)).toEqual([
    'history: queued; customer: requested',
    'ledger: hold; 2: customer_available → customer_held',
    'history: queued → dispatching; worker: claimed',
    'attempt: send 1 begun; ab',
    'event: transfer.accepted; waiting',
    'attempt: send 1: in_doubt; reason: no_answer, late: accepted',
  ]);
});

test('a person is shown by name, with the reason that they gave', () => {
  const cancelled = { from: 'queued', to: 'cancelled', at: at(0), actor: 'a-uuid', reason: 'cancelled_by_operator' };
  const history = [{ ...MOVE, ...cancelled, actorName: 'Olga Orlow', note: 'asked for by letter' }];
  expect(timelineOf({ ...nothing, history }, 6)[0]?.detail).toBe(
    'Olga Orlow: cancelled_by_operator, asked for by letter',
  );
});

test('an attempt without an outcome shows only that it was begun', () => {
  const attempt = {
    attempt: 1,
    kind: 'send' as const,
    startedAt: at(1),
    bodySha256: null,
    outcome: null,
    outcomeAt: null,
    detail: {},
    notAfter: null,
    lateOutcome: null,
  };
  expect(timelineOf({ ...nothing, attempts: [attempt] }, 6)).toHaveLength(1);
});
