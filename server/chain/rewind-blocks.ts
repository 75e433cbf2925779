import type { ChainPort } from '#server/chain/chain-port.ts';
import type { Database } from '#server/db/database.ts';
import { reportVanishedDeposits } from '#server/deposits/report-vanished-deposits.ts';
import { logger } from '#server/logger.ts';
import { findFinalAboveSql } from '#server/sql/find-final-above.sql.ts';
import { findKnownBlockSql } from '#server/sql/find-known-block.sql.ts';
import { haltChainSql } from '#server/sql/halt-chain.sql.ts';
import { moveChainCursorSql } from '#server/sql/move-chain-cursor.sql.ts';
import { orphanChainBlocksSql } from '#server/sql/orphan-chain-blocks.sql.ts';

/**
 * Walks back to the newest block that the node and we agree on, orphans what stood above it, and puts the cursor there. Deeper
 * than finality it moves nothing: the network is halted and somebody is woken, with a case for every
 * deposit that was credited and has vanished.
 */
export async function rewindBlocks(
  deps: { db: Database; chain: ChainPort },
  input: { networkId: string; cursor: { number: number; hash: string }; confirmationsRequired: number },
): Promise<{ kind: 'rewound'; depth: number } | { kind: 'halted' } | { kind: 'moved_meanwhile' }> {
  const { networkId, cursor, confirmationsRequired } = input;
  let number = cursor.number;
  let hash = cursor.hash;
  while ((await deps.chain.header(number))?.hash !== hash) {
    // The block at this depth was final by our count; what was booked on it is not taken back by a machine.
    if (cursor.number - number + 1 >= confirmationsRequired) return await halt(deps, networkId, cursor, number);
    number -= 1;
    const [known] = await deps.db.query<{ block_hash: string }>(findKnownBlockSql, [networkId, number]);
    if (known === undefined) return await halt(deps, networkId, cursor, number);
    hash = known.block_hash;
  }
  // A finality that was raised since makes a deeper walk lawful, and what was booked under the lower one stays booked.
  const [booked] = await deps.db.query<{ block_number: string | null }>(findFinalAboveSql, [networkId, number]);
  if (booked !== undefined && booked.block_number !== null)
    return await halt(deps, networkId, cursor, booked.block_number);
  const moved = await deps.db.transaction(async (tx) => {
    const rows = await tx.query(moveChainCursorSql, [networkId, cursor.number, cursor.hash, number, hash]);
    if (rows.length > 0) await tx.query(orphanChainBlocksSql, [networkId, number]);
    return rows.length > 0;
  });
  if (!moved) return { kind: 'moved_meanwhile' };
  const depth = cursor.number - number;
  logger().warn('chain.rewound', { networkId, depth, number });
  return { kind: 'rewound', depth };
}

/** Another indexer that met the same reorg may have rewound already: then what we read is not the chain's fault. */
async function halt(
  deps: { db: Database; chain: ChainPort },
  networkId: string,
  cursor: { number: number; hash: string },
  number: number | string,
): Promise<{ kind: 'halted' | 'moved_meanwhile' }> {
  const reason = `the chain changed below finality, at block ${number}`;
  const rows = await deps.db.query(haltChainSql, [networkId, reason, cursor.number, cursor.hash]);
  if (rows.length === 0) return { kind: 'moved_meanwhile' };
  logger().error('chain.halted', new Error(reason), { networkId, number });
  await reportVanishedDeposits(deps, { networkId, below: cursor.number });
  return { kind: 'halted' };
}
