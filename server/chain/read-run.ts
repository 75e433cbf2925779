import { BLOCKS_A_QUESTION, ChainAnswerRefused, type ChainBlock, type ChainPort } from '#server/chain/chain-port.ts';

/**
 * Blocks that follow a cursor, each the child of the one before; fewer where the chain changed while they were read.
 *
 * @throws ChainAnswerRefused, or the network's error
 */
export async function readRun(
  deps: { chain: ChainPort },
  cursor: { readonly number: number; readonly hash: string },
  length: number,
  watched: ReadonlySet<string>,
): Promise<readonly ChainBlock[] | 'another_chain'> {
  const run: ChainBlock[] = [];
  let parentHash = cursor.hash;
  const read = (after: number) => {
    const count = Math.min(BLOCKS_A_QUESTION, length - after);
    return count > 0 ? deps.chain.blocks(cursor.number + 1 + after, count, watched) : Promise.resolve([]);
  };
  for (let after = 0; after < length; after += 2 * BLOCKS_A_QUESTION) {
    const pair = await Promise.all([read(after), read(after + BLOCKS_A_QUESTION)]);
    for (const block of pair.flat()) {
      if (block.parentHash !== parentHash) return run.length === 0 ? 'another_chain' : run;
      run.push(block);
      parentHash = block.hash;
    }
    if (run.length < Math.min(length, after + 2 * BLOCKS_A_QUESTION)) break;
  }
  refuseRepeats(run);
  return run;
}

/** A transaction stands in one block of a chain. @throws ChainAnswerRefused */
function refuseRepeats(run: readonly ChainBlock[]): void {
  const seen = new Set<string>();
  for (const { number, transfers } of run) {
    for (const { transactionHash, ordinal } of transfers) {
      const name = `${transactionHash} ${ordinal}`;
      if (seen.has(name)) throw new ChainAnswerRefused(`block ${number}: a transaction for the second time`);
      seen.add(name);
    }
  }
}
