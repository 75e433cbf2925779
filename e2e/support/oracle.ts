import { expect } from '@playwright/test';
import type { RefusalCode } from '#domain/refusal.ts';
import { waitUntil } from '#stack/wait-until.ts';
import { type ChainTransfer, findChainTransfers, isExecuted, mineBlocks, usdcContract } from './chain.ts';
import { custody } from './custody-control.ts';
import { FUNDS_MINOR } from './customer.ts';
import { askDatabase } from './database.ts';

/** What a test asked for: a new customer and an address nobody used before make every count exact. */
export interface Order {
  readonly customerId: string;
  readonly address: string;
  /** Decimal text in whole USDC: what must arrive. */
  readonly amount: string;
}

export interface PaidWithdrawal {
  readonly withdrawalId: string;
  readonly idempotencyKey: string;
  readonly transactionHash: string;
}

interface Row {
  readonly id: string;
  readonly idempotency_key: string;
  readonly status: string;
  readonly refusal_code: string | null;
  readonly address: string;
  readonly amount_minor: string;
  readonly total_minor: string;
  readonly transaction_hash: string | null;
}

const COMPLETED_WITHIN_MS = 60_000;
const CONFIRMATIONS = 12;
const ENDED_UNPAID: readonly string[] = ['failed', 'cancelled', 'rejected'];

/**
 * Waits until the customer's withdrawal is completed, then counts it in the three books that do not know each other: one
 * row of ours, one transfer in custody's own log, one transfer on the chain; each with the amount and the address.
 *
 * @param expected.refusals what was refused beside it, under other keys, in order
 */
export async function expectPaidOnce(
  order: Order,
  expected: { withinMs?: number; refusals?: readonly RefusalCode[] } = {},
): Promise<PaidWithdrawal> {
  const [paid] = await expectEachPaidOnce([order], expected);
  if (paid === undefined) throw new Error(`nothing was counted for ${order.address}`);
  return paid;
}

/** The same for several withdrawals, of one customer or of many, each to an address of its own. */
export async function expectEachPaidOnce(
  orders: readonly Order[],
  expected: { withinMs?: number; refusals?: readonly RefusalCode[] } = {},
): Promise<PaidWithdrawal[]> {
  const paid: PaidWithdrawal[] = [];
  for (const order of orders) {
    const row = await waitForCompletion(order, expected.withinMs ?? COMPLETED_WITHIN_MS);
    paid.push(await expectOneTransfer(order, row));
  }
  await expectOneRequestAnAttempt(paid);
  for (const customerId of new Set(orders.map((order) => order.customerId))) {
    const count = orders.filter((order) => order.customerId === customerId).length;
    await expectNothingElse(customerId, { count, refusals: expected.refusals ?? [] });
  }
  return paid;
}

async function expectOneTransfer(order: Order, row: Row): Promise<PaidWithdrawal> {
  const transactionHash = row.transaction_hash ?? '';
  expect(BigInt(row.amount_minor)).toBe(minorOf(order.amount));

  const created = await findCustodyTransfers({ address: order.address, key: row.idempotency_key });
  expect(created, "transfers in custody's log").toHaveLength(1);
  expect(created[0]?.externalId).toBe(row.idempotency_key);
  expect(minorOf(String(created[0]?.details.amount))).toBe(minorOf(order.amount));

  const transfers = await findChainTransfers(order.address);
  expect(transfers, 'transfers on the chain').toEqual([
    { contract: usdcContract(), transactionHash, amountMinor: minorOf(order.amount) } satisfies ChainTransfer,
  ]);
  expect(await isExecuted(transactionHash)).toBe(true);
  expect(await findBookings(row.id)).toEqual(['hold', 'post']);
  return { withdrawalId: row.id, idempotencyKey: row.idempotency_key, transactionHash };
}

/**
 * Every request that reached custody is one attempt row of ours with these very bytes, and every attempt that was answered is one
 * request. One that was not may have died on its way, and is one request or none.
 */
async function expectOneRequestAnAttempt(paid: readonly PaidWithdrawal[]): Promise<void> {
  const keys = paid.map(({ idempotencyKey }) => idempotencyKey);
  const attempts = await askDatabase<{ send: string; answered: boolean }>(
    `select w.idempotency_key || ' ' || a.body_sha256 as send, coalesce(a.outcome in ('accepted', 'refused', 'later'), false) as answered
     from withdrawal_attempts a join withdrawals w on w.id = a.withdrawal_id
     where a.kind = 'send' and w.idempotency_key = any ($1::uuid[])`,
    [keys],
  );
  const requests = (await custody.readRequests())
    // What custody's own proxy sent twice is not ours.
    .filter(({ externalId, requestId }) => keys.includes(externalId ?? '') && !requestId.includes('-copy-'))
    .map(({ externalId, bodyHash }) => `${externalId} ${bodyHash}`);
  for (const send of new Set([...requests, ...attempts.map((attempt) => attempt.send)])) {
    const ofThis = attempts.filter((attempt) => attempt.send === send);
    const reached = requests.filter((request) => request === send).length;
    expect(reached, `requests of ${send}`).toBeLessThanOrEqual(ofThis.length);
    expect(reached, `requests of ${send}`).toBeGreaterThanOrEqual(ofThis.filter(({ answered }) => answered).length);
  }
}

async function expectNothingElse(
  customerId: string,
  expected: { count: number; refusals: readonly RefusalCode[] },
): Promise<void> {
  const rows = await findRows(customerId);
  const accepted = rows.filter(({ status }) => status !== 'refused');
  expect(accepted, 'rows of this customer').toHaveLength(expected.count);
  const refusals = rows.flatMap(({ refusal_code: code }) => (code === null ? [] : [code]));
  expect(refusals, 'refusals kept under keys').toEqual(expected.refusals);
  const spentMinor = accepted.reduce((sum, { total_minor: total }) => sum + BigInt(total), 0n);
  expect(await findBalance(customerId)).toEqual({ availableMinor: FUNDS_MINOR - spentMinor, heldMinor: 0n });
}

/** Nothing was accepted, made or reserved. Refusals kept under a key may be there. */
export async function expectNothingPaid(order: Pick<Order, 'customerId' | 'address'>): Promise<void> {
  const rows = await findRows(order.customerId);
  expect(rows.filter(({ status }) => status !== 'refused')).toEqual([]);
  expect(await findCustodyTransfers({ address: order.address, key: null })).toEqual([]);
  expect(await findChainTransfers(order.address)).toEqual([]);
  expect(await findBalance(order.customerId)).toEqual({ availableMinor: FUNDS_MINOR, heldMinor: 0n });
}

/** The status of the customer's only withdrawal, or null while there is none. */
export async function findStatus(customerId: string): Promise<string | null> {
  return (await findRows(customerId))[0]?.status ?? null;
}

async function waitForCompletion(order: Order, withinMs: number): Promise<Row> {
  let last: Row | null = null;
  let blocksAhead = CONFIRMATIONS;
  await waitUntil(
    async () => {
      const rows = await findRows(order.customerId);
      last = rows.find(({ status, address }) => status !== 'refused' && isSame(address, order.address)) ?? null;
      if (last === null) return false;
      if (ENDED_UNPAID.includes(last.status)) throw new Error(`withdrawal ${last.id} ended as ${last.status}`);
      if (last.status === 'broadcast') {
        await mineBlocks(blocksAhead);
        // All at once, and then a few: what was not in the first of them, or is read late, comes to its end too.
        blocksAhead = 2;
      }
      return last.status === 'completed';
    },
    { what: `no withdrawal of ${order.customerId} to ${order.address} was completed`, withinMs, everyMs: 200 },
  );
  if (last === null) throw new Error('completed without a row');
  return last;
}

function findRows(customerId: string): Promise<Row[]> {
  return askDatabase<Row>(
    `select id, idempotency_key, status, refusal_code, address, amount_minor, total_minor, transaction_hash
     from withdrawals where customer_id = $1 order by requested_at, id`,
    [customerId],
  );
}

async function findCustodyTransfers(wanted: { address: string; key: string | null }) {
  const log = await custody.readLog();
  return log.filter(
    ({ kind, externalId, details }) =>
      kind === 'created' && (externalId === wanted.key || isSame(String(details.address), wanted.address)),
  );
}

async function findBookings(withdrawalId: string): Promise<string[]> {
  const rows = await askDatabase<{ kind: string }>(
    'select kind from ledger_transfers where source_id = $1 order by kind',
    [withdrawalId],
  );
  return rows.map(({ kind }) => kind);
}

async function findBalance(customerId: string): Promise<{ availableMinor: bigint; heldMinor: bigint }> {
  const [row] = await askDatabase<{ available_minor: string; held_minor: string }>(
    `select available_minor, held_minor from customer_balances where customer_id = $1 and asset_id = 'USDC'`,
    [customerId],
  );
  if (row === undefined) throw new Error(`${customerId} has no balance of USDC`);
  return { availableMinor: BigInt(row.available_minor), heldMinor: BigInt(row.held_minor) };
}

/** Addresses of this chain mean the same in any case. */
function isSame(address: string, other: string): boolean {
  return address.toLowerCase() === other.toLowerCase();
}

/** Minor units of a decimal text of USDC, without asking the product how it counts. */
function minorOf(amount: string): bigint {
  const parts = /^(\d+)(?:\.(\d{1,6}))?$/.exec(amount);
  if (parts === null) throw new Error(`${amount} is no amount of USDC`);
  return BigInt(parts[1] ?? '') * 1_000_000n + BigInt((parts[2] ?? '').padEnd(6, '0'));
}
