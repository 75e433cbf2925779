import { describe, expect, it } from 'vitest';
import type { CustodyLogEntry } from '../custody-control.ts';
import { createHistory, type History } from '../workload/history.ts';
import { checkCustomers } from './check-customers.ts';
import { checkPayments } from './check-payments.ts';
import { checkRows } from './check-rows.ts';
import type { Facts, WithdrawalFact } from './facts.ts';

const KEY = '3f2b8c1e-6d4a-4f0b-9a57-0c1d2e3f4a5b';
const ADDRESS = '0x52908400098527886E0F7030069857D2E4169EE7';
const ROW: WithdrawalFact = {
  id: '01890a5d-ac96-774b-bcce-b302099a8057',
  idempotencyKey: KEY,
  customerId: 'customer',
  status: 'completed',
  refusalCode: null,
  asset: 'USDC',
  address: ADDRESS,
  amountMinor: '2500000',
  decimals: 6,
  transferId: 'tr_1',
  transactionHash: '0xaa',
  parkedReason: null,
  waitReason: null,
  openCases: 0,
};
const PATH = ['queued', 'dispatching', 'submitted', 'broadcast', 'completed'];

function entry(kind: string, transferId = 'tr_1', more: Partial<CustodyLogEntry> = {}): CustodyLogEntry {
  const names = { externalId: KEY, idempotencyKey: KEY, hash: null, details: {} };
  return { seq: 1, at: '', kind, transferId, ...names, ...more };
}

/** A run in which one withdrawal went well, but for what the test changes. */
function facts(more: Partial<Facts> = {}, row: Partial<WithdrawalFact> = {}): Facts {
  const kept = { ...ROW, ...row };
  return {
    withdrawals: [kept],
    history: PATH.map((to, index) => ({
      withdrawalId: ROW.id,
      from: PATH[index - 1] ?? null,
      to,
      reason: 'any',
      evidence: {},
      actor: 'worker',
    })),
    attempts: [{ withdrawalId: ROW.id, kind: 'send', outcome: 'accepted', provedAbsent: false }],
    ledger: { doubled: [], misfit: [], everNegative: [], drifted: [], differenceByAsset: { USDC: '0' } },
    custodyLog: [entry('created'), entry('signed'), entry('confirmed')],
    custodyRequests: [{ seq: 1, requestId: 'r', externalId: KEY, bodyHash: 'h', outcome: 'created' }],
    repeatedByProxy: new Map(),
    lostMemory: new Set(),
    chain: [{ address: ADDRESS, asset: 'USDC', amountMinor: 2_500_000n }],
    shown: new Map([
      [
        'customer',
        [{ withdrawalId: kept.id, status: kept.status, amount: '2.5', address: ADDRESS, transactionHash: '0xaa' }],
      ],
    ]),
    ...more,
  };
}

const promisesOf = (violations: readonly { promise: string }[]) => [
  ...new Set(violations.map(({ promise }) => promise)),
];

describe('the checker of payments', () => {
  it('is content with one row, one transfer and one payment', () => {
    expect(checkPayments(facts())).toEqual({ violations: [], doubles: 0, excused: 0 });
  });

  it('sees a second transfer under one key', () => {
    const custodyLog = [...facts().custodyLog, entry('created', 'tr_2')];
    expect(checkPayments(facts({ custodyLog })).doubles).toBe(1);
  });

  it('sees a second payment on the chain that custody does not speak of', () => {
    const [payment] = facts().chain;
    expect(checkPayments(facts({ chain: payment ? [payment, payment] : [] })).doubles).toBe(1);
  });

  it('sees a transfer without a row', () => {
    const custodyLog = [...facts().custodyLog, entry('created', 'tr_9', { externalId: 'nobody' })];
    expect(promisesOf(checkPayments(facts({ custodyLog })).violations)).toEqual(['every transfer has one withdrawal']);
  });

  it('sees a completed row that nobody paid, or that was paid another amount', () => {
    expect(promisesOf(checkPayments(facts({ chain: [] })).violations)).toEqual(['completed is one transfer']);
    const chain = [{ address: ADDRESS, asset: 'USDC', amountMinor: 2_500_001n }];
    expect(promisesOf(checkPayments(facts({ chain })).violations)).toEqual(['completed is one transfer']);
  });

  it.each(['failed', 'cancelled', 'rejected', 'refused'])('sees a payment of a row that ended as %s', (status) => {
    expect(promisesOf(checkPayments(facts({}, { status })).violations)).toEqual(['ended unpaid is no transfer']);
  });

  it('excuses it only where custody lied about this very transfer and a case shows it', () => {
    const lie = entry('fault', 'none', { details: { fault: 'lookup_404' } });
    const custodyLog = [...facts().custodyLog, lie];
    expect(checkPayments(facts({ custodyLog }, { status: 'cancelled', openCases: 1 })).excused).toBe(1);
    expect(checkPayments(facts({ custodyLog }, { status: 'cancelled' })).violations).toHaveLength(1);
    expect(checkPayments(facts({}, { status: 'cancelled', openCases: 1 })).violations).toHaveLength(1);
  });

  it('takes a transaction that failed on the chain for no payment', () => {
    const custodyLog = [entry('created'), entry('signed'), entry('failed')];
    expect(checkPayments(facts({ custodyLog, chain: [] }, { status: 'failed' })).violations).toEqual([]);
  });
});

describe('the checker of rows', () => {
  it('is content with a row that went forward', () => {
    expect(checkRows(facts())).toEqual([]);
  });

  it('lets a status come back by the three named moves and their evidence only', () => {
    const move = (from: string | null, to: string, reason: string) => ({
      ...{ withdrawalId: ROW.id, evidence: {}, actor: 'resolver' },
      ...{ from, to, reason },
    });
    const back = (reason: string) => [
      move(null, 'queued', 'requested'),
      move('queued', 'dispatching', 'claimed'),
      move('dispatching', 'in_doubt', 'in_doubt'),
      move('in_doubt', 'queued', reason),
    ];
    const queued = { status: 'queued', transferId: null, transactionHash: null };
    const check = (reason: string) => checkRows(facts({ history: back(reason), shown: new Map() }, queued));
    expect(check('absence_proved')).toEqual([]);
    expect(promisesOf(check('timeout'))).toEqual(['no status comes back']);
  });

  it('sees more requests than attempts, apart from copies that proxies made', () => {
    const request = { seq: 2, requestId: 'q', externalId: KEY, bodyHash: 'h', outcome: 'replayed' };
    const custodyRequests = [...facts().custodyRequests, request];
    expect(promisesOf(checkRows(facts({ custodyRequests })))).toEqual(['one request an attempt']);
    expect(checkRows(facts({ custodyRequests, repeatedByProxy: new Map([[KEY, 1]]) }))).toEqual([]);
    const copy = { ...request, requestId: 'q-copy-1' };
    expect(checkRows(facts({ custodyRequests: [...facts().custodyRequests, copy] }))).toEqual([]);
  });

  it('sees a customer who is shown something else', () => {
    expect(promisesOf(checkRows(facts({ shown: new Map([['customer', []]]) })))).toEqual(['everybody sees the same']);
  });

  it('sees books that do not add up', () => {
    const ledger = { ...facts().ledger, differenceByAsset: { USDC: '-1' } };
    expect(promisesOf(checkRows(facts({ ledger })))).toEqual(['the books are right']);
  });
});

describe('the checker of customers', () => {
  const told = (more: object): History => {
    const answer = {
      deed: 'request',
      status: 200,
      code: null,
      withdrawalId: ROW.id,
      withdrawalStatus: 'queued',
    } as const;
    const body = {
      asset: 'USDC',
      network: 'ethereum',
      address: ADDRESS,
      memo: null,
      amount: '2.5',
      feeMode: 'on_top',
    } as const;
    const answers = [{ ...answer, replayed: false, kind: null, ...more }];
    const intent = {
      number: 1,
      phase: 'replays',
      habit: 'plain',
      customerId: 'customer',
      idempotencyKey: KEY,
    } as const;
    return { ...createHistory(), intents: [{ ...intent, body, answers }] };
  };

  it('is content when the row named is the row kept', () => {
    expect(checkCustomers(facts(), told({}))).toEqual({ violations: [], lost: 0 });
  });

  it('sees an accepted withdrawal that is gone', () => {
    expect(checkCustomers(facts({ withdrawals: [] }), told({})).lost).toBe(1);
  });

  it('sees two withdrawals named under one key, and a cancellation that was none', () => {
    expect(checkCustomers(facts(), told({ withdrawalId: 'another' })).violations).toHaveLength(1);
    expect(checkCustomers(facts(), told({ deed: 'cancel', kind: 'cancelled' })).violations).toHaveLength(1);
  });
});
