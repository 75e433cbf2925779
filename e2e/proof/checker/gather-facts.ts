import { getAddress, type Hex, keccak256, toHex } from 'viem';
import type { Books } from '../proof-world.ts';
import type { History } from '../workload/history.ts';
import type { Customer } from '../workload/open-customers.ts';
import type { AttemptFact, ChainPayment, Facts, HistoryFact, ShownFact, WithdrawalFact } from './facts.ts';
import { findSimulatedPayments } from './find-simulated-payments.ts';
import { gatherLedger } from './gather-ledger.ts';

/** Reads our database, custody's own log, the chain, and what each customer is shown. */
export async function gatherFacts(
  world: Books,
  input: { history: History; customers: readonly Customer[]; wallet: string },
): Promise<Facts> {
  const [withdrawals, history, attempts, ledger, custodyLog, custodyRequests] = await Promise.all([
    world.ask<WithdrawalFact>(FIND_WITHDRAWALS),
    world.ask<HistoryFact>(FIND_HISTORY),
    world.ask<AttemptFact>(FIND_ATTEMPTS),
    gatherLedger(world),
    world.custody.readLog(),
    world.custody.readRequests(),
  ]);
  const shown = new Map<string, readonly ShownFact[]>();
  for (const customer of input.customers) shown.set(customer.customerId, await readList(customer));
  return {
    withdrawals,
    history,
    attempts,
    ledger,
    custodyLog,
    custodyRequests,
    repeatedByProxy: world.repeatedKeys(),
    lostMemory: input.history.lostMemory,
    chain: [
      ...(await findTokenPayments(world, input.wallet)),
      ...(await findEtherPayments(world, withdrawals)),
      ...(await findSimulatedPayments(world)),
    ],
    shown,
  };
}

const FIND_WITHDRAWALS = `
  select w.id, w.idempotency_key as "idempotencyKey", w.customer_id as "customerId", w.status,
    w.refusal_code as "refusalCode", w.asset_id as asset, w.address, w.amount_minor::text as "amountMinor", a.decimals,
    w.transfer_id as "transferId", w.transaction_hash as "transactionHash", w.parked_reason as "parkedReason",
    w.wait_reason as "waitReason", (select count(*)::int from cases c where c.withdrawal_id = w.id) as "openCases"
  from withdrawals w left join assets a on a.id = w.asset_id order by w.requested_at, w.id`;

const FIND_HISTORY = `
  select withdrawal_id as "withdrawalId", from_status as "from", to_status as "to", reason, evidence, actor
  from withdrawal_history order by id`;

const FIND_ATTEMPTS = `
  select withdrawal_id as "withdrawalId", kind, outcome, proved_absent_at is not null as "provedAbsent"
  from withdrawal_attempts order by withdrawal_id, attempt`;

const PAGE_SIZE = 100;

async function readList({ client }: Customer): Promise<ShownFact[]> {
  const items: ShownFact[] = [];
  for (let cursor: string | null = null; ; ) {
    const page = (await client.read('withdrawal.list', { cursor, limit: PAGE_SIZE })) as {
      items: ShownFact[];
      nextCursor: string | null;
    } | null;
    if (page === null) throw new Error("a customer's list was not answered");
    items.push(...page.items);
    if (page.nextCursor === null) return items;
    cursor = page.nextCursor;
  }
}

const TRANSFER_TOPIC = keccak256(toHex('Transfer(address,address,uint256)'));

interface Log {
  readonly address: Hex;
  readonly topics: readonly Hex[];
  readonly data: Hex;
}

/** Every token transfer that ever left custody's wallet. */
async function findTokenPayments(world: Books, wallet: string): Promise<ChainPayment[]> {
  const { USDC_CONTRACT, USDT_CONTRACT } = world.stack.env;
  const assets = new Map([
    [getAddress(USDC_CONTRACT ?? ''), 'USDC'],
    [getAddress(USDT_CONTRACT ?? ''), 'USDT'],
  ]);
  const from = `0x${wallet.slice(2).toLowerCase().padStart(64, '0')}`;
  const topics = [TRANSFER_TOPIC, from];
  const logs = await world.askChain<Log[]>('eth_getLogs', [{ fromBlock: '0x0', toBlock: 'latest', topics }]);
  return logs.map((log) => ({
    address: getAddress(`0x${(log.topics[2] ?? '').slice(-40)}`),
    asset: assets.get(getAddress(log.address)) ?? log.address,
    amountMinor: BigInt(log.data),
  }));
}

/** The balance of an address nobody else ever used is the sum of its payments. */
async function findEtherPayments(world: Books, rows: readonly WithdrawalFact[]): Promise<ChainPayment[]> {
  const payments: ChainPayment[] = [];
  for (const { asset, address } of rows) {
    if (asset !== 'ETH' || address === null) continue;
    const amountMinor = BigInt(await world.askChain<Hex>('eth_getBalance', [address, 'latest']));
    if (amountMinor > 0n) payments.push({ address: getAddress(address), asset, amountMinor });
  }
  return payments;
}
