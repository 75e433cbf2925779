import type { CustodyLogEntry } from '../custody-control.ts';
import type { Facts, WithdrawalFact } from './facts.ts';
import type { Violation } from './violation.ts';

const UNPAID: ReadonlySet<string> = new Set(['failed', 'cancelled', 'rejected', 'refused']);
/** With these the provider contradicts its own final answer, or lies about what it has. */
const LIES: ReadonlySet<string> = new Set(['contradict_failed', 'lookup_404', 'lookup_lag']);

export interface PaymentVerdict {
  readonly violations: readonly Violation[];
  /** Keys under which more than one transfer was made. */
  readonly doubles: number;
  /** Transfers after an end that a lie of the provider's explains and an open case shows. */
  readonly excused: number;
}

/**
 * Compares our rows with custody's own log of transfers and with the chain. A transfer counts when custody created it and did not
 * end it unsigned; what the chain shows counts always.
 */
export function checkPayments(facts: Facts): PaymentVerdict {
  const violations: Violation[] = [];
  const created = facts.custodyLog.filter(({ kind }) => kind === 'created');
  const byKey = groupBy(created, ({ externalId }) => externalId ?? 'none');
  const rows = new Map(facts.withdrawals.map((row) => [row.idempotencyKey, row]));
  const lies = groupBy(
    facts.custodyLog.filter(({ kind, details }) => kind === 'fault' && LIES.has(String(details.fault))),
    ({ externalId }) => externalId ?? 'none',
  );
  const signed = new Set(facts.custodyLog.filter(({ kind }) => kind === 'signed').map(({ transferId }) => transferId));
  const dead = findDead(facts.custodyLog);
  const paid = groupBy(facts.chain, ({ address }) => address.toLowerCase());
  let doubles = 0;
  let excused = 0;

  for (const [key, transfers] of byKey) {
    if (transfers.length > 1) {
      doubles += 1;
      violations.push({ promise: 'at most one transfer', about: key, detail: nameTransfers(transfers) });
    }
    if (!rows.has(key)) {
      violations.push({ promise: 'every transfer has one withdrawal', about: key, detail: nameTransfers(transfers) });
    }
  }
  for (const row of facts.withdrawals) {
    const transfers = byKey.get(row.idempotencyKey) ?? [];
    const payments = row.address === null ? [] : (paid.get(row.address.toLowerCase()) ?? []);
    // A transfer that custody ended before it signed anything moved nothing.
    const alive = transfers.filter(({ transferId }) => signed.has(transferId) && !dead.has(transferId));
    if (payments.length > 1) {
      doubles += 1;
      violations.push({
        promise: 'at most one transfer',
        about: row.id,
        detail: `${payments.length} payments on the chain`,
      });
    }
    if (row.status === 'completed') violations.push(...checkCompleted(row, transfers, payments));
    if (UNPAID.has(row.status) && (payments.length > 0 || alive.length > 0)) {
      const isExcused = row.openCases > 0 && lies.has(row.idempotencyKey);
      if (isExcused) excused += 1;
      else {
        const detail = `${row.status} ${row.id}, yet ${nameTransfers(transfers)}, ${payments.length} on the chain`;
        violations.push({ promise: 'ended unpaid is no transfer', about: row.idempotencyKey, detail });
      }
    }
  }
  const known = new Set(facts.withdrawals.map(({ address }) => address?.toLowerCase()));
  for (const address of paid.keys()) {
    if (!known.has(address))
      violations.push({ promise: 'every transfer has one withdrawal', about: address, detail: 'paid on the chain' });
  }
  return { violations, doubles, excused };
}

function checkCompleted(
  row: WithdrawalFact,
  transfers: readonly CustodyLogEntry[],
  payments: Facts['chain'],
): Violation[] {
  const [payment] = payments;
  const right =
    transfers.length === 1 &&
    payments.length === 1 &&
    payment?.asset === row.asset &&
    payment.amountMinor === BigInt(row.amountMinor ?? -1);
  if (right) return [];
  const detail = `${nameTransfers(transfers)}; on the chain ${payments.map((one) => `${one.amountMinor} ${one.asset}`).join(', ') || 'nothing'}`;
  return [{ promise: 'completed is one transfer', about: row.id, detail }];
}

/** Included and failed, and never seen to succeed: the number is spent, it can never pay. */
function findDead(log: readonly CustodyLogEntry[]): ReadonlySet<string | null> {
  const of = (wanted: string) => log.filter(({ kind }) => kind === wanted).map(({ transferId }) => transferId);
  const confirmed = new Set(of('confirmed'));
  return new Set(of('failed').filter((transferId) => !confirmed.has(transferId)));
}

function nameTransfers(transfers: readonly CustodyLogEntry[]): string {
  return `${transfers.length} transfers ${transfers.map(({ transferId }) => transferId).join(' ')}`.trim();
}

function groupBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key) ?? [];
    group.push(item);
    groups.set(key, group);
  }
  return groups;
}
