import type { HotWalletFunds } from '../hot-wallet-funds.ts';
import type { Inclusion, PaymentNetwork } from '../networks/payment-network.ts';
import type { Database } from '../store/custody-database.ts';
import { type JournalRow, judgeTransactions, type Progress } from './judge-transactions.ts';

// 250 ms while something young waits for its block; a second for the rest: blocks are seldom faster on a real chain.
const POLL_MS = 250;
const SLOW_POLL_MS = 1_000;
// A node may lose its mempool without its head going back, so what stays out of the chain is looked up and sent again.
const RECHECK_MS = 5_000;
const IDLE_MS = 5_000;
// Further behind than this, asking for each transaction is cheaper than reading every block.
const BLOCKS_MAX = 32;

export type ChainWatch = { runOnce(): Promise<{ changed: number; againMs: number }> };

/** Follows the chain for the transactions we signed: inclusion, failure, reorg, finality, and bytes that got lost. */
export function createChainWatch(
  deps: { database: Database; network: PaymentNetwork; funds: HotWalletFunds },
  input: { finalityBlocks: number },
): ChainWatch {
  const { database, network } = deps;
  let seen: { height: number; hash: string } | null = null;
  let recheckedAtMs = Number.NEGATIVE_INFINITY;
  let waitingSinceMs = performance.now();

  async function runOnce() {
    if (!deps.funds.known(network.name)) {
      await deps.funds.refresh(network);
      await deps.funds.recount(network.name);
    }
    const rows = await readJournal(database, network, null);
    if (rows.length === 0) {
      // Nothing is open; but a chain that came back older may need bytes of what was settled long ago.
      seen = null;
      return { changed: (await recheck(await network.head())) ?? 0, againMs: IDLE_MS };
    }
    const changed = await follow(rows);
    const open = rows.some((row) => row.included_height === null);
    if (!open) waitingSinceMs = performance.now();
    const young = open && performance.now() - waitingSinceMs < 30_000;
    return { changed, againMs: young ? POLL_MS : SLOW_POLL_MS };
  }

  async function follow(rows: JournalRow[]): Promise<number> {
    const head = await network.head();
    const overdue = performance.now() - recheckedAtMs > RECHECK_MS && rows.some((row) => row.included_height === null);
    if (seen !== null && head.hash === seen.hash && !overdue) return 0;
    const found = seen === null || overdue ? null : await readNewBlocks(seen, head.height);
    let changed: number | null;
    if (found === null) changed = await recheck(head);
    else
      changed = await record(
        judgeTransactions({
          rows,
          found,
          chainNonce: null,
          headHeight: head.height,
          finalityBlocks: input.finalityBlocks,
        }),
      );
    if (changed === null) return 0; // The next round reads the chain anew.
    seen = { height: head.height, hash: head.hash };
    return changed;
  }

  /** Inclusions in the blocks after `from`, or null where they do not continue it: a reorg, or too many of them. */
  async function readNewBlocks(
    from: { height: number; hash: string },
    headHeight: number,
  ): Promise<Map<string, Inclusion> | null> {
    if (headHeight <= from.height || headHeight - from.height > BLOCKS_MAX) return null;
    const found = new Map<string, Inclusion>();
    let parent = from.hash;
    for (let height = from.height + 1; height <= headHeight; height += 1) {
      const block = await network.block(height);
      if (block.parentHash !== parent) return null;
      for (const { hash, success } of block.transactions) found.set(hash, { height, block: block.hash, success });
      parent = block.hash;
    }
    return found;
  }

  /** Null where the chain moved while it was read. Asks for every transaction that is not settled, or whose number the chain does not count as used, and resends the lost. */
  async function recheck(head: { height: number; hash: string }): Promise<number | null> {
    const chainNonce = await network.nextNonce();
    const rows = await readJournal(database, network, chainNonce);
    const inclusions = await network.findInclusions(rows.map((row) => row.hash));
    const found = new Map<string, Inclusion>();
    rows.forEach((row, place) => {
      const inclusion = inclusions[place];
      if (inclusion != null) found.set(row.hash, inclusion);
    });
    // A reorg between these calls would make an included transaction look spent by another.
    if ((await network.head()).hash !== head.hash) return null;
    const changed = await record(
      judgeTransactions({ rows, found, chainNonce, headHeight: head.height, finalityBlocks: input.finalityBlocks }),
    );
    const lost = rows.filter((row) => !found.has(row.hash) && row.nonce >= chainNonce && row.status !== 'signed');
    if (lost.length > 0) await network.broadcast(lost);
    recheckedAtMs = performance.now();
    return changed;
  }

  async function record(items: Progress[]): Promise<number> {
    if (items.length === 0) return 0;
    const moved = items.some(({ kind }) => kind !== 'settled');
    // Read before the rows change, so that for a moment too little is promised rather than too much.
    if (moved) await deps.funds.refresh(network);
    await database.query({
      name: 'record-progress',
      text: 'select record_progress($1)',
      values: [JSON.stringify(items)],
    });
    if (moved) await deps.funds.recount(network.name);
    return items.length;
  }

  return { runOnce };
}

type StoredRow = Omit<JournalRow, 'nonce'> & { nonce: string };

// Two statements: with "or" Postgres reads the whole journal instead of the partial index of what is open.
const columns = 'hash, raw, nonce, version, status, included_height::int, included_block, settled';
const openRows = `select ${columns} from signed_transaction where network = $1 and account = $2 and not settled`;
const unusedRows = `select ${columns} from signed_transaction where network = $1 and account = $2 and settled and nonce >= $3`;

async function readJournal(
  database: Database,
  network: PaymentNetwork,
  fromNonce: bigint | null,
): Promise<JournalRow[]> {
  const wallet = [network.name, network.account];
  if (fromNonce === null) {
    const open = await database.query<StoredRow>({
      name: 'journal-open',
      text: `${openRows} order by nonce, version`,
      values: wallet,
    });
    return open.rows.map(toRow);
  }
  const all = await database.query<StoredRow>({
    name: 'journal-unused',
    text: `${openRows} union all ${unusedRows} order by nonce, version`,
    values: [...wallet, fromNonce.toString()],
  });
  return all.rows.map(toRow);
}

function toRow(row: StoredRow): JournalRow {
  return { ...row, nonce: BigInt(row.nonce) };
}
