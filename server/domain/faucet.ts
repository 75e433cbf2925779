/** What the demo's faucet has: the pages offer it, and the door takes nothing else. */
export const FAUCET_ASSETS = ['ETH', 'USDC', 'USDT', 'BTC', 'SOL', 'XRP'] as const;
export type FaucetAsset = (typeof FAUCET_ASSETS)[number];

export function isFaucetAsset(assetId: string): assetId is FaucetAsset {
  return FAUCET_ASSETS.some((asset) => asset === assetId);
}
