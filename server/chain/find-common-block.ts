import type { ChainPort } from '#server/chain/chain-port.ts';
import type { Db, Statement } from '#server/db/database.ts';

interface KeptBlock {
  readonly block_number: string;
  readonly block_hash: string;
}

/**
 * The newest block that we keep below a height and that is on the node's chain as well. Looked for by halves: two chains that have
 * parted never meet again, so a dozen questions are enough for ten thousand blocks.
 *
 * @returns null where they agree on nothing that is kept
 */
export async function findCommonBlock(
  deps: { db: Db; chain: Pick<ChainPort, 'header'> },
  input: { networkId: string; below: number },
): Promise<number | null> {
  const { networkId, below } = input;
  const keptUpTo = async (number: number) => (await deps.db.query<KeptBlock>(findKeptSql, [networkId, number]))[0];
  const [oldest] = await deps.db.query<KeptBlock>(findOldestSql, [networkId]);
  let low = Number(oldest?.block_number ?? below);
  let high = below - 1;
  let common: number | null = null;
  while (low <= high) {
    const middle = Math.floor((low + high) / 2);
    const kept = await keptUpTo(middle);
    if (kept === undefined) break;
    const number = Number(kept.block_number);
    if ((await deps.chain.header(number))?.hash === kept.block_hash) {
      common = number;
      low = middle + 1;
    } else {
      high = number - 1;
    }
  }
  return common;
}

const findKeptSql: Statement = {
  name: 'find_kept_block_up_to',
  text: `
    select block_number, block_hash from chain_blocks where network_id = $1 and canonical and block_number <= $2
    order by block_number desc limit 1`,
};

const findOldestSql: Statement = {
  name: 'find_oldest_kept_block',
  text: `
    select block_number, block_hash from chain_blocks where network_id = $1 and canonical order by block_number limit 1`,
};
