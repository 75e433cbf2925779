import { formatUnits } from 'viem';
import { checkBooks } from './check-books.ts';
import type { Facts, HistoryFact } from './facts.ts';
import type { Violation } from './violation.ts';

/** The three moves that go back, with the reasons that are evidence for each. */
const BACK: Readonly<Record<string, readonly RegExp[]>> = {
  'dispatching queued': [/^(not_sent|later)/],
  'in_doubt queued': [/absence/],
  'in_doubt dispatching': [/^resend_rule$/],
};
const RANK: Readonly<Record<string, number>> = {
  awaiting_approval: 0,
  queued: 1,
  dispatching: 2,
  in_doubt: 3,
  submitted: 4,
  broadcast: 5,
  completed: 6,
  failed: 6,
  cancelled: 6,
  rejected: 6,
  refused: 6,
};

/** What our own rows must say, whatever custody says. */
export function checkRows(facts: Facts): Violation[] {
  return [...checkHistory(facts), ...checkBooks(facts.ledger), ...checkShown(facts), ...checkRequests(facts)];
}

function checkHistory(facts: Facts): Violation[] {
  const violations: Violation[] = [];
  const last = new Map<string, string>();
  for (const move of facts.history) {
    const { withdrawalId, from, to } = move;
    const before = last.get(withdrawalId) ?? null;
    if (from !== before) {
      violations.push(backwards(move, `the history says ${from} after ${before}`));
    }
    last.set(withdrawalId, to);
    if (from === null) continue;
    const isForward = (RANK[to] ?? 0) > (RANK[from] ?? 0);
    if (isForward) continue;
    const reasons = BACK[`${from} ${to}`];
    if (reasons === undefined) violations.push(backwards(move, `${from} became ${to}`));
    else if (!reasons.some((reason) => reason.test(move.reason)))
      violations.push(backwards(move, `${from} became ${to} for ${move.reason}`));
  }
  for (const row of facts.withdrawals) {
    const said = last.get(row.id);
    if (said !== row.status)
      violations.push({
        promise: 'no status comes back',
        about: row.id,
        detail: `${row.status}, its history ends ${said}`,
      });
  }
  return violations;
}

function backwards(move: HistoryFact, detail: string): Violation {
  return { promise: 'no status comes back', about: move.withdrawalId, detail };
}

/** The customer's list, our row and custody's transfer say the same. */
function checkShown(facts: Facts): Violation[] {
  const violations: Violation[] = [];
  const transferOf = new Map(
    facts.custodyLog.filter(({ kind }) => kind === 'created').map((entry) => [entry.externalId, entry.transferId]),
  );
  for (const row of facts.withdrawals) {
    if (row.transferId !== null && transferOf.get(row.idempotencyKey) !== row.transferId) {
      const detail = `our row says ${row.transferId}, custody ${transferOf.get(row.idempotencyKey)}`;
      violations.push({ promise: 'everybody sees the same', about: row.id, detail });
    }
    const list = facts.shown.get(row.customerId);
    if (list === undefined || row.refusalCode === 'given_up') continue;
    const item = list.find(({ withdrawalId }) => withdrawalId === row.id);
    const amount = formatUnits(BigInt(row.amountMinor ?? 0), row.decimals ?? 0);
    const right =
      item !== undefined &&
      item.status === row.status &&
      item.amount === amount &&
      // Kept in one form, shown in the form that carries its checksum.
      item.address.toLowerCase() === row.address?.toLowerCase() &&
      item.transactionHash === row.transactionHash;
    if (right) continue;
    const detail = `shown ${JSON.stringify(item ?? null)}, kept ${row.status} ${amount} ${row.address} ${row.transactionHash}`;
    violations.push({ promise: 'everybody sees the same', about: row.id, detail });
  }
  return violations;
}

/** Custody's proxy marks its own copies; ours are counted by key. */
function checkRequests(facts: Facts): Violation[] {
  const seen = new Map<string, number>();
  for (const { externalId, requestId } of facts.custodyRequests) {
    if (externalId === null || requestId.includes('-copy-')) continue;
    seen.set(externalId, (seen.get(externalId) ?? 0) + 1);
  }
  const sends = new Map<string, number>();
  for (const { withdrawalId, kind } of facts.attempts) {
    if (kind === 'send') sends.set(withdrawalId, (sends.get(withdrawalId) ?? 0) + 1);
  }
  return facts.withdrawals.flatMap((row): Violation[] => {
    const requests = (seen.get(row.idempotencyKey) ?? 0) - (facts.repeatedByProxy.get(row.idempotencyKey) ?? 0);
    const attempts = sends.get(row.id) ?? 0;
    if (requests <= attempts || facts.lostMemory.has(row.idempotencyKey)) return [];
    return [{ promise: 'one request an attempt', about: row.id, detail: `${requests} requests, ${attempts} attempts` }];
  });
}
