import { formatAmount } from '#domain/money.ts';
import type { CustodyPort } from '#server/custody/custody-port.ts';
import type { Db, Statement } from '#server/db/database.ts';

/** One fact as each book tells it; null where a book does not know it yet, or cannot be asked. */
export interface BookLine {
  field: 'reference' | 'asset' | 'network' | 'address' | 'amount' | 'status' | 'transfers' | 'transaction';
  ours: string | null;
  custody: string | null;
  chain: string | null;
  /** Two books that both know it say different things. */
  differs: boolean;
}

export interface Books {
  lines: BookLine[];
  custodyAnswered: boolean;
  differences: number;
}

/**
 * A withdrawal as our row, custody's list and the chain tell it, side by side. Status is compared by what it means: custody's
 * "confirmed" beside our "completed" is no difference, coins that moved beside a row that ended without them are one.
 */
export async function findBooks(
  deps: { db: Db; custody: Pick<CustodyPort, 'findByReference'> | null },
  input: { withdrawalId: string },
): Promise<Books | null> {
  const [row] = await deps.db.query<BookRow>(findBookRowSql, [input.withdrawalId]);
  if (row === undefined) return null;
  const answer = await deps.custody?.findByReference(row.reference);
  const transfers = answer?.kind === 'found' ? answer.transfers : [];
  const custodyAnswered = answer !== undefined && answer.kind !== 'failed';
  const [theirs] = transfers;
  const shown = (minor: string | null) => (minor === null ? null : formatAmount(BigInt(minor), row.decimals));
  const expected = row.status === 'completed' ? 1 : null;
  const lines = [
    line('reference', row.reference, theirs?.externalId ?? null, null),
    line('asset', row.asset_id, theirs?.asset ?? null, null),
    line('network', row.network_id, theirs?.network ?? null, row.effects > 0 ? row.network_id : null),
    line('address', row.address, theirs?.address ?? null, row.chain_address),
    line('amount', shown(row.amount_minor), plain(theirs?.amount ?? null), shown(row.chain_amount)),
    status(row, theirs?.status ?? null),
    transfersLine(expected, custodyAnswered ? transfers.length : null, row.is_read ? row.effects : null),
    transaction(
      row,
      transfers.flatMap((one) => one.transactions.map(({ hash }) => hash)),
    ),
  ];
  return { lines, custodyAnswered, differences: lines.filter(({ differs }) => differs).length };
}

function line(field: BookLine['field'], ours: string | null, custody: string | null, chain: string | null): BookLine {
  const known = [ours, custody, chain].flatMap((text) => (text === null ? [] : [text.toLowerCase()]));
  return { field, ours, custody, chain, differs: new Set(known).size > 1 };
}

const ENDED_WITHOUT = new Set(['failed', 'cancelled', 'rejected', 'refused']);
const NOT_MOVING = new Set(['failed', 'refused']);

function status(row: BookRow, custody: string | null): BookLine {
  const paidThough = ENDED_WITHOUT.has(row.status) && custody !== null && !NOT_MOVING.has(custody);
  const unpaidThough = row.status === 'completed' && custody !== null && custody !== 'confirmed';
  return { field: 'status', ours: row.status, custody, chain: row.chain_state, differs: paidThough || unpaidThough };
}

/** More than one is always a difference, and so is none beside a row that is completed. */
function transfersLine(ours: number | null, custody: number | null, chain: number | null): BookLine {
  const differs = [custody, chain].some((count) => count !== null && (count > 1 || (ours !== null && count !== ours)));
  const text = (count: number | null) => (count === null ? null : String(count));
  return { field: 'transfers', ours: text(ours), custody: text(custody), chain: text(chain), differs };
}

/** A replacement is another hash of the same transfer: ours must be one that custody names. */
function transaction(row: BookRow, named: readonly string[]): BookLine {
  const ours = row.transaction_hash;
  const isNamed =
    ours === null || named.length === 0 || named.some((hash) => hash.toLowerCase() === ours.toLowerCase());
  const onChain = ours === null || row.chain_hash === null || ours.toLowerCase() === row.chain_hash.toLowerCase();
  const custody = named.find((hash) => hash.toLowerCase() === ours?.toLowerCase()) ?? named.at(-1) ?? null;
  return { field: 'transaction', ours, custody, chain: row.chain_hash, differs: !isNamed || !onChain };
}

/** "1.50" and "1.5" are one amount. */
function plain(amount: string | null): string | null {
  return amount?.includes('.') ? amount.replace(/\.?0+$/, '') : amount;
}

interface BookRow {
  readonly reference: string;
  readonly asset_id: string;
  readonly network_id: string;
  readonly address: string;
  readonly amount_minor: string;
  readonly decimals: number;
  readonly status: string;
  readonly transaction_hash: string | null;
  readonly is_read: boolean;
  readonly effects: number;
  readonly chain_address: string | null;
  readonly chain_amount: string | null;
  readonly chain_hash: string | null;
  readonly chain_state: string | null;
}

const findBookRowSql: Statement = {
  name: 'find_book_row',
  text: `
    select w.idempotency_key as reference, w.asset_id, w.network_id, w.address, w.amount_minor, a.decimals, w.status, w.transaction_hash,
      exists (select 1 from chain_cursors k where k.network_id = w.network_id) as is_read,
      (select count(*)::integer from chain_effects e where e.withdrawal_id = w.id and e.state <> 'orphaned') as effects,
      f.to_address as chain_address, f.amount_minor as chain_amount, f.transaction_hash as chain_hash, f.state as chain_state
    from withdrawals w join assets a on a.id = w.asset_id
    left join lateral (select * from chain_effects e where e.withdrawal_id = w.id and e.state <> 'orphaned'
      order by (e.id = w.completing_effect_id) desc nulls last, e.id desc limit 1) f on true
    where w.id = $1`,
};
