import { isAddress } from 'viem';

export type NetworkName = 'ethereum' | 'bitcoin' | 'tron' | 'solana' | 'xrp';

export type Asset = {
  asset: string;
  network: NetworkName;
  decimals: number;
  minimumMinor: bigint;
  /** A token's contract on a simulated network; null for a network's own coin, and on Ethereum, where the environment names it. */
  contract: string | null;
};

/** Every pair we pay out. Minimums are the provider's own, far below what an exchange would ask for. */
export const assets: readonly Asset[] = [
  { asset: 'ETH', network: 'ethereum', decimals: 18, minimumMinor: 1_000_000_000n, contract: null },
  { asset: 'USDC', network: 'ethereum', decimals: 6, minimumMinor: 1n, contract: null },
  { asset: 'USDT', network: 'ethereum', decimals: 6, minimumMinor: 1n, contract: null },
  {
    asset: 'USDT',
    network: 'tron',
    decimals: 6,
    minimumMinor: 1n,
    contract: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t',
  },
  // 546 satoshi: an output below it is dust, and nodes do not relay it.
  { asset: 'BTC', network: 'bitcoin', decimals: 8, minimumMinor: 546n, contract: null },
  { asset: 'SOL', network: 'solana', decimals: 9, minimumMinor: 1n, contract: null },
  { asset: 'XRP', network: 'xrp', decimals: 6, minimumMinor: 1n, contract: null },
];

export const networks: readonly NetworkName[] = ['ethereum', 'bitcoin', 'tron', 'solana', 'xrp'];

export function findAsset(asset: string, network: string): Asset | undefined {
  return assets.find((entry) => entry.asset === asset && entry.network === network);
}

/** Shape only, but for Ethereum, where a wrong checksum is refused: the exchange's own checks come before ours. */
export function isPayableAddress(network: NetworkName, address: string): boolean {
  switch (network) {
    case 'ethereum':
      return isAddress(address, { strict: true }) && !/^0x0{40}$/.test(address);
    case 'bitcoin':
      return (
        /^(bc1|tb1|bcrt1)[02-9ac-hj-np-z]{11,87}$/.test(address) || /^[123mn][1-9A-HJ-NP-Za-km-z]{25,34}$/.test(address)
      );
    case 'tron':
      return /^T[1-9A-HJ-NP-Za-km-z]{33}$/.test(address);
    case 'solana':
      return /^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(address);
    case 'xrp':
      return /^[rX][1-9A-HJ-NP-Za-km-z]{24,46}$/.test(address);
    default:
      return unreachable(network);
  }
}

/** A destination tag is an unsigned 32-bit number; no other network of ours knows a memo. */
export function isPayableMemo(network: NetworkName, memo: string | null): boolean {
  if (memo === null) return true;
  return network === 'xrp' && /^\d{1,10}$/.test(memo) && BigInt(memo) <= 4_294_967_295n;
}

function unreachable(value: never): never {
  throw new Error(`no such network: ${String(value)}`);
}
