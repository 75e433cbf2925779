import { parseUnits } from 'viem';
import { askUntilAnswered } from '../ask-until-answered.ts';
import type { Books } from '../proof-world.ts';
import type { ChainPayment } from './facts.ts';

const BLOCKS_A_PAGE = 500;
const BACK_WITHIN_MS = 60_000;

interface Block {
  readonly height: number;
  readonly transactions: readonly {
    readonly from: string;
    readonly to: string;
    readonly asset: string;
    readonly amount: string;
    readonly status: string;
  }[];
}

/** Every payment of custody's own that stands in a block of a simulated network, read past our own reader. */
export async function findSimulatedPayments(world: Books): Promise<ChainPayment[]> {
  const networks = await world.ask<{ id: string; decimals: Record<string, number> }>(FIND_NETWORKS);
  const payments: ChainPayment[] = [];
  for (const { id, decimals } of networks) {
    for (let from = 1; ; ) {
      const blocks = await readBlocks(world, `/sim/${id}/blocks?from=${from}&limit=${BLOCKS_A_PAGE}`);
      for (const { from: payer, to, asset, amount, status } of blocks.flatMap(({ transactions }) => transactions)) {
        // The faucet's are deposits, each from a payer of its own.
        if (status !== 'success' || payer.startsWith('faucet-')) continue;
        payments.push({ address: to, asset, amountMinor: parseUnits(amount, decimals[asset] ?? 0) });
      }
      const last = blocks.at(-1);
      if (last === undefined) break;
      from = last.height + 1;
    }
  }
  return payments;
}

async function readBlocks(world: Books, path: string): Promise<readonly Block[]> {
  const ask = () => fetch(new URL(path, world.stack.urls.custody), { signal: AbortSignal.timeout(10_000) });
  const answer = await askUntilAnswered(ask, { withinMs: BACK_WITHIN_MS, isPassing: () => true });
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}`);
  return ((await answer.json()) as { data: readonly Block[] }).data;
}

const FIND_NETWORKS = `
  select n.id, json_object_agg(a.id, a.decimals) as decimals
  from networks n join asset_networks p on p.network_id = n.id join assets a on a.id = p.asset_id
  where n.family <> 'evm' group by n.id order by n.id`;
