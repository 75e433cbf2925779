import { parseAddress } from '#domain/address.ts';
import { type Asset, findAsset } from '#domain/asset.ts';
import type { RequestMeaning } from '#domain/idempotency-key.ts';
import { parseMemo } from '#domain/memo.ts';
import { parseAmount } from '#domain/money.ts';
import { type Refusal, refuse } from '#domain/refusal.ts';
import type { FeeMode } from '#domain/withdrawal-fee.ts';
import type { AssetCatalogue, CataloguePair } from '#server/withdrawals/find-asset-catalogue.ts';

/** A request as it came over the wire, its shape checked and nothing else. */
export interface WireRequest {
  readonly asset: string;
  readonly network: string;
  readonly address: string;
  /** Null is the deliberate word that the receiver needs none; undefined says nothing. */
  readonly memo: string | null | undefined;
  /** Decimal text in whole units. */
  readonly amount: string;
  readonly feeMode: FeeMode;
  /** The fee the customer was shown, in whole units; null for none. */
  readonly quotedFee: string | null;
}

export interface ReadRequest {
  readonly asset: Asset;
  readonly pair: CataloguePair;
  readonly meaning: RequestMeaning;
  readonly quotedFeeMinor: bigint | null;
}

export type Reading =
  | { readonly kind: 'read'; readonly request: ReadRequest }
  | { readonly kind: 'refused'; readonly refusal: Refusal };

/** What a request means in money, or why it cannot be read. Whether it is allowed is another question. */
export function readWithdrawalRequest(wire: WireRequest, catalogue: AssetCatalogue): Reading {
  const asset = findAsset(catalogue.assets, wire.asset);
  if (asset === null) return refused(refuse('asset_unknown', { fields: ['asset'] }));
  const pair = catalogue.pairs.find((one) => one.assetId === asset.id && one.networkId === wire.network);
  if (pair === undefined) return refused(refuse('network_unknown', { fields: ['network'] }));
  const parsed = parseAddress(pair.family, wire.address);
  if (parsed.kind === 'refused') {
    return refused(refuse(parsed.code, { fields: ['address'], detail: parsed.detail }));
  }
  const { canonical: address, embeddedMemo } = parsed.address;
  const memo = parseMemo({
    rule: pair.memoRule,
    family: pair.family,
    memo: wire.memo ?? null,
    // An address that carries its tag says enough by itself; null beside it is no contradiction.
    noMemoNeeded: wire.memo === null && embeddedMemo === null,
    embeddedMemo,
  });
  if (memo.kind === 'refused') return memo;
  const amount = parseAmount(wire.amount, asset.decimals);
  if (amount.kind === 'refused') return refused(refuse(amount.code, { fields: ['amount'] }));
  if (amount.minor === 0n) return refused(refuse('amount_not_positive', { fields: ['amount'] }));
  const quotedFee = wire.quotedFee === null ? null : parseAmount(wire.quotedFee, asset.decimals);
  if (quotedFee?.kind === 'refused') return refused(refuse(quotedFee.code, { fields: ['quotedFee'] }));
  return {
    kind: 'read',
    request: {
      asset,
      pair,
      meaning: {
        asset: asset.id,
        network: pair.networkId,
        address,
        memo: memo.memo,
        amountMinor: amount.minor,
        feeMode: wire.feeMode,
      },
      quotedFeeMinor: quotedFee?.minor ?? null,
    },
  };
}

function refused(refusal: Refusal): Reading {
  return { kind: 'refused', refusal };
}
