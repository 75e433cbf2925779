/** The kind of network, which decides how an address is read. A new kind is one address file. */
export const NETWORK_FAMILIES = ['evm', 'bitcoin', 'tron', 'solana', 'xrp'] as const;
export type NetworkFamily = (typeof NETWORK_FAMILIES)[number];

/** What a destination needs beside its address. `required_choice`: a memo, or the explicit word that none is needed. */
export const MEMO_RULES = ['none', 'optional', 'required_choice'] as const;
export type MemoRule = (typeof MEMO_RULES)[number];

export interface Asset {
  readonly id: string;
  readonly name: string;
  /** One whole unit is 10 to this power minor units. */
  readonly decimals: number;
}

/** An asset on a network: data, not code. A new pair is a row. */
export interface AssetNetwork {
  readonly assetId: string;
  readonly networkId: string;
  readonly family: NetworkFamily;
  /** The token's contract or mint on this network; null for the network's own coin, or until the seed fills it. */
  readonly contract: string | null;
  /** The least that may arrive. */
  readonly minimumMinor: bigint;
  readonly feeMinor: bigint;
  readonly confirmationsRequired: number;
  readonly memoRule: MemoRule;
  /** `{hash}` stands for the transaction's hash. */
  readonly explorerTransactionTemplate: string;
  readonly enabled: boolean;
}

export const SEEDED_ASSETS: readonly Asset[] = [
  { id: 'ETH', name: 'Ether', decimals: 18 },
  { id: 'USDC', name: 'USD Coin', decimals: 6 },
  { id: 'USDT', name: 'Tether USD', decimals: 6 },
  { id: 'BTC', name: 'Bitcoin', decimals: 8 },
  { id: 'SOL', name: 'Solana', decimals: 9 },
  { id: 'XRP', name: 'XRP', decimals: 6 },
];

const ETHEREUM = {
  networkId: 'ethereum',
  family: 'evm',
  contract: null,
  // Deeper than Anvil's state interval, so that a chain which lost its last blocks takes back nothing final.
  confirmationsRequired: 12,
  memoRule: 'none',
  explorerTransactionTemplate: 'https://etherscan.io/tx/{hash}',
  enabled: true,
} as const;

export const SEEDED_ASSET_NETWORKS: readonly AssetNetwork[] = [
  { ...ETHEREUM, assetId: 'ETH', minimumMinor: 10_000_000_000_000_000n, feeMinor: 1_000_000_000_000_000n },
  { ...ETHEREUM, assetId: 'USDC', minimumMinor: 1_000_000n, feeMinor: 500_000n },
  { ...ETHEREUM, assetId: 'USDT', minimumMinor: 1_000_000n, feeMinor: 500_000n },
  {
    assetId: 'USDT',
    networkId: 'tron',
    family: 'tron',
    contract: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t',
    minimumMinor: 1_000_000n,
    feeMinor: 1_000_000n,
    confirmationsRequired: 19,
    memoRule: 'none',
    explorerTransactionTemplate: 'https://tronscan.org/#/transaction/{hash}',
    enabled: true,
  },
  {
    assetId: 'BTC',
    networkId: 'bitcoin',
    family: 'bitcoin',
    contract: null,
    minimumMinor: 50_000n,
    feeMinor: 10_000n,
    confirmationsRequired: 2,
    memoRule: 'none',
    explorerTransactionTemplate: 'https://mempool.space/tx/{hash}',
    enabled: true,
  },
  {
    assetId: 'SOL',
    networkId: 'solana',
    family: 'solana',
    contract: null,
    minimumMinor: 10_000_000n,
    feeMinor: 1_000_000n,
    confirmationsRequired: 32,
    memoRule: 'none',
    explorerTransactionTemplate: 'https://explorer.solana.com/tx/{hash}',
    enabled: true,
  },
  {
    assetId: 'XRP',
    networkId: 'xrp',
    family: 'xrp',
    contract: null,
    // The ledger refuses to open an account with less than its reserve; a payment below it to a new account fails.
    minimumMinor: 1_000_000n,
    feeMinor: 200_000n,
    confirmationsRequired: 1,
    memoRule: 'required_choice',
    explorerTransactionTemplate: 'https://livenet.xrpl.org/transactions/{hash}',
    enabled: true,
  },
];

/** The asset of this id, or null. */
export function findAsset(assets: readonly Asset[], assetId: string): Asset | null {
  return assets.find((asset) => asset.id === assetId) ?? null;
}

/** The pair of asset and network, or null: a network is never guessed from the asset or the address. */
export function findAssetNetwork(
  pairs: readonly AssetNetwork[],
  assetId: string,
  networkId: string,
): AssetNetwork | null {
  return pairs.find((pair) => pair.assetId === assetId && pair.networkId === networkId) ?? null;
}

/** The address of the transaction's page at the network's explorer. */
export function explorerTransactionUrl(pair: AssetNetwork, transactionHash: string): string {
  return pair.explorerTransactionTemplate.replace('{hash}', encodeURIComponent(transactionHash));
}
