import { expect, test } from 'vitest';
import { WITHDRAWAL_STATUSES } from '#domain/withdrawal.ts';
import { enOperator } from '../../../_words/en-operator.ts';
import { enRoom } from '../../../_words/en-operator-room.ts';
import { findAlarms } from './overview-alarms.ts';
import type { Overview } from './room-types.ts';

const invariant = (name: Overview['invariants'][number]['name'], violations: number | null, stale = false) => ({
  ...{ name, violations, stale, examples: [], counted: 10, checkedAt: '2026-11-30T00:00:00.000Z' },
  ...{ ageSeconds: 3, brokenAt: null },
});

const well: Overview = {
  asOf: '2026-11-30T00:00:00.000Z',
  stopped: null,
  statuses: WITHDRAWAL_STATUSES.slice(0, 6).map((status) => ({
    ...{ status, count: 3, parked: 0, oldestSeconds: 5, limitSeconds: 60, overdue: false },
  })),
  ended24h: { completed: 9, failed: 0, cancelled: 0, rejected: 0, refused: 1 },
  approvalsWaiting: 3,
  openCases: 0,
  openFindings: 0,
  openSwitches: 0,
  oldestSeconds: { parked: null, cases: null, findings: null, switches: null },
  outbox: { waiting: 1, oldestMs: 60_000 },
  inbox: { waiting: 0, parked: 0, oldestMs: 0 },
  queue: { waiting: 0, active: 1, delayed: 0, failed: 0 },
  custodyAnswers: true,
  chains: [{ networkId: 'ethereum', network: 'Ethereum', block: '12', silentSeconds: 300, halted: null }],
  hot: [],
  invariants: [invariant('double_transfers', 0), invariant('unresolved', 0)],
};
const alarmsOf = (change: Partial<Overview>) =>
  findAlarms({ ...well, ...change }, { room: enRoom, operator: enOperator });

test('a well house has no alarm, at the edge of every limit', () => {
  expect(alarmsOf({})).toEqual([]);
});

test('a double transfer is said before everything that only waits', () => {
  const oldestSeconds = { ...well.oldestSeconds, cases: 600 };
  const alarms = alarmsOf({
    openCases: 1,
    oldestSeconds,
    invariants: [invariant('unresolved', 2), invariant('double_transfers', 1)],
  });
  expect(alarms.map(({ tone, text }) => `${tone}: ${text}`)).toEqual([
    'bad: Double transfers: 1',
    'warn: Unresolved for too long: 2',
    'warn: 1 open case, the oldest for 10 min. Their customers’ payouts wait; reading the evidence is safe.',
  ]);
});

test.each([
  ['a stop of all sending', { stopped: { reason: 'control_not_found', since: null } }],
  ['a custody that is silent', { custodyAnswers: false }],
  ['a Redis that is silent', { queue: null }],
  [
    'a halted network',
    { chains: [{ networkId: 'ethereum', network: 'Ethereum', block: '12', silentSeconds: 0, halted: 'deep reorg' }] },
  ],
] satisfies [string, Partial<Overview>][])('%s is bad', (_, change) => {
  expect(alarmsOf(change).map(({ tone }) => tone)).toEqual(['bad']);
});

test.each([
  ['a promise that nobody counts any more', { invariants: [invariant('lost', 0, true)] }],
  ['a promise that could not be counted', { invariants: [invariant('lost', null)] }],
  ['an outbox a minute behind', { outbox: { waiting: 1, oldestMs: 60_001 } }],
  ['an inbox a minute behind', { inbox: { waiting: 1, parked: 0, oldestMs: 60_001 } }],
  [
    'a network without blocks',
    { chains: [{ networkId: 'ethereum', network: 'Ethereum', block: '1', silentSeconds: 301, halted: null }] },
  ],
  ['a finding that nobody has closed', { openFindings: 1 }],
  ['a pause', { openSwitches: 1 }],
] satisfies [string, Partial<Overview>][])('%s is a warning with a page to go to', (_, change) => {
  const [alarm, second] = alarmsOf(change);
  expect(alarm).toMatchObject({ tone: 'warn', href: expect.stringMatching(/^\/operator/) });
  expect(second).toBeUndefined();
});
