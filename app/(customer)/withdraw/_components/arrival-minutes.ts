import type { NetworkView } from '../../../_trpc/api-types.ts';

/** Seconds between two blocks, as these networks publish them. */
const BLOCK_SECONDS: Record<NetworkView['family'], number> = { evm: 12, bitcoin: 600, tron: 3, solana: 0.4, xrp: 4 };

/** Whole minutes, at least one, until a sent withdrawal has its confirmations: what a person plans with, not a promise. */
export function arrivalMinutes(network: Pick<NetworkView, 'family' | 'confirmationsRequired'>): number {
  return Math.max(1, Math.ceil((network.confirmationsRequired * BLOCK_SECONDS[network.family]) / 60));
}
