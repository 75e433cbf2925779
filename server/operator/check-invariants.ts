import type { CustodyPort, CustodyTransfer } from '#server/custody/custody-port.ts';
import type { Database } from '#server/db/database.ts';
import { verifyLedger } from '#server/ledger/verify-ledger.ts';
import type { InvariantName } from '#server/operator/find-invariants.ts';
import { findBookDifferencesSql, findDoublePaidSql, findUnattendedSql } from '#server/operator/invariants.sql.ts';

/** What one promise came to. `violations` is null when it could not be counted: no answer is not a zero. */
export interface InvariantResult {
  readonly name: InvariantName;
  readonly violations: number | null;
  readonly examples: readonly string[];
  readonly counted: number | null;
}

const EXAMPLES_MAX = 5;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/**
 * Counts the promises from books that do not know each other: custody's own list of the span, the chain as our indexer read it,
 * our rows and the ledger. It repairs nothing.
 *
 * @param input.fromMs,toMs the span of custody's list, by its clock, in milliseconds since 1970
 */
export async function checkInvariants(
  deps: { db: Database; custody: CustodyPort },
  input: { fromMs: number; toMs: number },
): Promise<readonly InvariantResult[]> {
  const walked = await deps.custody.walkTransfers(input);
  const [ledger, unattended, paidTwice] = await Promise.all([
    verifyLedger(deps, { deep: false }),
    deps.db.query<{ id: string; problem: 'lost' | 'unresolved' }>(findUnattendedSql, []),
    deps.db.query<{ id: string }>(findDoublePaidSql, [new Date(input.fromMs)]),
  ]);
  const idsOf = (problem: string) => unattended.filter((row) => row.problem === problem).map((row) => row.id);
  const ledgerResult = result(
    'ledger',
    ledger.map(({ kind, assetId, customerId }) => `${kind} ${assetId} ${customerId ?? ''}`.trim()),
    null,
  );
  const unresolved = result('unresolved', idsOf('unresolved'), null);
  if (walked.kind === 'failed') {
    return [...(['double_transfers', 'lost', 'three_books'] as const).map(uncounted), ledgerResult, unresolved];
  }
  const transfers = walked.kind === 'found' ? walked.transfers : [];
  const moving = transfers.filter((transfer) => transfer.status !== 'refused');
  const differences = await findDifferences(deps, moving, input);
  const missingHere = differences.filter((one) => one.problem === 'missing_here').map((one) => one.reference);
  const other = differences.filter((one) => one.problem !== 'missing_here');
  return [
    result('double_transfers', [...findTwice(moving), ...paidTwice.map((row) => row.id)], moving.length),
    result('lost', [...idsOf('lost'), ...missingHere], moving.length),
    result(
      'three_books',
      other.map((one) => `${one.problem} ${one.reference}`),
      moving.length,
    ),
    ledgerResult,
    unresolved,
  ];
}

/** References under which custody holds more than one transfer that moves coins. */
export function findTwice(moving: readonly Pick<CustodyTransfer, 'id' | 'externalId'>[]): string[] {
  const seen = new Map<string, string>();
  const twice = new Set<string>();
  for (const { id, externalId } of moving) {
    const first = seen.get(externalId);
    if (first !== undefined && first !== id) twice.add(externalId);
    seen.set(externalId, first ?? id);
  }
  return [...twice];
}

interface Difference {
  readonly reference: string;
  readonly problem: string;
}

async function findDifferences(
  deps: { db: Database },
  moving: readonly CustodyTransfer[],
  span: { fromMs: number; toMs: number },
): Promise<readonly Difference[]> {
  const named = moving.filter((transfer) => UUID.test(transfer.externalId));
  const list = named.map(({ id, externalId, asset, network, amount, status }) => ({
    id,
    reference: externalId,
    asset,
    network,
    amount,
    status,
  }));
  const strangers = moving
    .filter((transfer) => !UUID.test(transfer.externalId))
    .map((transfer) => ({ reference: transfer.externalId, problem: 'missing_here' }));
  const found = await deps.db.query<Difference>(findBookDifferencesSql, [JSON.stringify(list), new Date(span.fromMs)]);
  return [...found, ...strangers];
}

function result(name: InvariantName, broken: readonly string[], counted: number | null): InvariantResult {
  const all = [...new Set(broken)];
  return { name, violations: all.length, examples: all.slice(0, EXAMPLES_MAX), counted };
}

function uncounted(name: InvariantName): InvariantResult {
  return { name, violations: null, examples: [], counted: null };
}
