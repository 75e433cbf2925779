import type { ChainBlock } from '#server/chain/chain-port.ts';

/** What `insert_chain_blocks` asks for: blocks and their effects as columns. */
export function toRunColumns(networkId: string, run: readonly ChainBlock[], lastNumber: number): readonly unknown[] {
  const effects = run.flatMap(({ transfers }, index) =>
    transfers.map((transfer) => ({ ...transfer, place: index + 1 })),
  );
  return [
    networkId,
    run.map((block) => block.number),
    run.map((block) => block.hash),
    run.map((block) => block.parentHash),
    run.map((block) => block.minedAt),
    effects.map((effect) => effect.place),
    effects.map((effect) => effect.transactionHash),
    effects.map((effect) => effect.ordinal),
    effects.map((effect) => effect.contract),
    effects.map((effect) => effect.from),
    effects.map((effect) => effect.to),
    effects.map((effect) => effect.amountMinor.toString()),
    lastNumber,
    effects.map((effect) => effect.memo ?? null),
  ];
}
