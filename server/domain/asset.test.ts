import { describe, expect, test } from 'vitest';
import { parseAddress } from '#domain/address.ts';
import {
  type AssetNetwork,
  explorerTransactionUrl,
  findAsset,
  findAssetNetwork,
  MEMO_RULES,
  NETWORK_FAMILIES,
  SEEDED_ASSET_NETWORKS,
  SEEDED_ASSETS,
} from '#domain/asset.ts';
import { formatAmount } from '#domain/money.ts';

describe('the seeded pairs', () => {
  test('are the seven of the product', () => {
    expect(SEEDED_ASSET_NETWORKS.map((pair) => `${pair.assetId} ${pair.networkId}`)).toEqual([
      'ETH ethereum',
      'USDC ethereum',
      'USDT ethereum',
      'USDT tron',
      'BTC bitcoin',
      'SOL solana',
      'XRP xrp',
    ]);
    expect(SEEDED_ASSETS.map((asset) => `${asset.id} ${asset.decimals}`)).toEqual([
      'ETH 18',
      'USDC 6',
      'USDT 6',
      'BTC 8',
      'SOL 9',
      'XRP 6',
    ]);
  });

  test.each(SEEDED_ASSET_NETWORKS)('$assetId on $networkId is whole', (pair) => {
    expect(findAsset(SEEDED_ASSETS, pair.assetId)).not.toBeNull();
    expect(NETWORK_FAMILIES).toContain(pair.family);
    expect(MEMO_RULES).toContain(pair.memoRule);
    expect(pair.minimumMinor).toBeGreaterThan(0n);
    expect(pair.feeMinor).toBeGreaterThan(0n);
    expect(pair.confirmationsRequired).toBeGreaterThan(0);
    expect(explorerTransactionUrl(pair, '0xabc')).toMatch(/^https:\/\/.*0xabc$/);
    if (pair.contract !== null) expect(parseAddress(pair.family, pair.contract).kind).toBe('ok');
  });

  test('a transaction hash cannot leave its place in the link', () => {
    const [pair] = SEEDED_ASSET_NETWORKS;
    if (pair === undefined) throw new Error('there are seeded pairs');
    expect(explorerTransactionUrl(pair, '../$&?x')).toBe('https://etherscan.io/tx/..%2F%24%26%3Fx');
  });
});

test('AD07: a network is never guessed', () => {
  expect(findAssetNetwork(SEEDED_ASSET_NETWORKS, 'USDT', 'tron')?.family).toBe('tron');
  expect(findAssetNetwork(SEEDED_ASSET_NETWORKS, 'USDC', 'tron')).toBeNull();
  expect(findAssetNetwork(SEEDED_ASSET_NETWORKS, 'USDT', '')).toBeNull();
  expect(findAssetNetwork(SEEDED_ASSET_NETWORKS, 'usdt', 'tron')).toBeNull();
});

test('adding a pair is adding a row', () => {
  const row: AssetNetwork = {
    assetId: 'USDC',
    networkId: 'solana',
    family: 'solana',
    contract: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
    minimumMinor: 1_000_000n,
    feeMinor: 250_000n,
    confirmationsRequired: 32,
    memoRule: 'none',
    explorerTransactionTemplate: 'https://explorer.solana.com/tx/{hash}',
    enabled: true,
  };
  const pair = findAssetNetwork([...SEEDED_ASSET_NETWORKS, row], 'USDC', 'solana');
  expect(pair).toBe(row);
  expect(parseAddress(row.family, row.contract ?? '').kind).toBe('ok');
  expect(formatAmount(row.feeMinor, findAsset(SEEDED_ASSETS, row.assetId)?.decimals ?? 0)).toBe('0.25');
});
