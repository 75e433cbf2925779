import { REFERENCE_DECIMALS } from '#domain/withdrawal-limits.ts';

const CENT = 10n ** BigInt(REFERENCE_DECIMALS - 2);

/** What one whole unit of each seeded asset is taken to be worth until somebody knows better, in reference minor units. */
export const SEEDED_PRICES: Readonly<Record<string, bigint>> = {
  ETH: 300_000n * CENT,
  USDC: 100n * CENT,
  USDT: 100n * CENT,
  BTC: 6_000_000n * CENT,
  SOL: 15_000n * CENT,
  XRP: 50n * CENT,
};
