import { expect } from '@playwright/test';
import type { RefusalCode } from '#domain/refusal.ts';
import { waitUntil } from '#stack/wait-until.ts';
import { type ChainTransfer, findChainTransfers, isExecuted, mineBlocks, usdcContract } from './chain.ts';
import { readCustodyLog } from './custody-control.ts';
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
  const row = await waitForCompletion(order, expected.withinMs ?? COMPLETED_WITHIN_MS);
  const rows = await findRows(order.customerId);
  expect(
    rows.filter(({ status }) => status !== 'refused'),
    'rows of this customer',
  ).toHaveLength(1);
  const refusals = rows.flatMap(({ refusal_code: code }) => (code === null ? [] : [code]));
  expect(refusals, 'refusals kept under keys').toEqual(expected.refusals ?? []);
  expect(row.address.toLowerCase()).toBe(order.address.toLowerCase());
  expect(BigInt(row.amount_minor)).toBe(minorOf(order.amount));

  const created = await findCustodyTransfers({ address: order.address, key: row.idempotency_key });
  expect(created, "transfers in custody's log").toHaveLength(1);
  expect(created[0]?.externalId).toBe(row.idempotency_key);
  expect(minorOf(created[0]?.details.amount ?? '')).toBe(minorOf(order.amount));

  const transfers = await findChainTransfers(order.address);
  expect(transfers, 'transfers on the chain').toEqual([
    {
      contract: usdcContract(),
      transactionHash: row.transaction_hash ?? '',
      amountMinor: minorOf(order.amount),
    } satisfies ChainTransfer,
  ]);
  expect(await isExecuted(row.transaction_hash ?? '')).toBe(true);

  expect(await findBookings(row.id)).toEqual(['hold', 'post']);
  expect(await findBalance(order.customerId)).toEqual({
    availableMinor: FUNDS_MINOR - BigInt(row.total_minor),
    heldMinor: 0n,
  });
  return {
    withdrawalId: row.id,
    idempotencyKey: row.idempotency_key,
    transactionHash: row.transaction_hash ?? '',
  };
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
  await waitUntil(
    async () => {
      const rows = await findRows(order.customerId);
      last = rows.find(({ status }) => status !== 'refused') ?? null;
      if (last === null) return false;
      if (ENDED_UNPAID.includes(last.status)) throw new Error(`withdrawal ${last.id} ended as ${last.status}`);
      if (last.status === 'broadcast') await mineBlocks(2);
      return last.status === 'completed';
    },
    { what: `no withdrawal of ${order.customerId} was completed`, withinMs, everyMs: 200 },
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
  const log = await readCustodyLog();
  return log.filter(
    ({ kind, externalId, details }) =>
      kind === 'created' &&
      (externalId === wanted.key || details.address?.toLowerCase() === wanted.address.toLowerCase()),
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

/** Minor units of a decimal text of USDC, without asking the product how it counts. */
function minorOf(amount: string): bigint {
  const parts = /^(\d+)(?:\.(\d{1,6}))?$/.exec(amount);
  if (parts === null) throw new Error(`${amount} is no amount of USDC`);
  return BigInt(parts[1] ?? '') * 1_000_000n + BigInt((parts[2] ?? '').padEnd(6, '0'));
}
