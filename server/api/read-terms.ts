import type { z } from 'zod';
import { findAsset } from '#domain/asset.ts';
import { refuse } from '#domain/refusal.ts';
import { REFERENCE_DECIMALS } from '#domain/withdrawal-limits.ts';
import type {
  assetPlainCapsSchema,
  networkPlainTermsSchema,
  pairPlainTermsSchema,
  priceSchema,
  tierTermsSchema,
} from '#server/api/money-schemas.ts';
import { readWireAmount } from '#server/api/read-wire-amount.ts';
import { RefusalError } from '#server/api/refusal-to-trpc.ts';
import type { AssetCaps } from '#server/limits/change-asset.ts';
import type { NetworkTerms } from '#server/limits/change-network.ts';
import type { PairTerms } from '#server/limits/change-pair.ts';
import type { TierLimits } from '#server/limits/set-tier.ts';
import type { Price } from '#server/prices/propose-price.ts';
import type { AssetCatalogue } from '#server/withdrawals/find-asset-catalogue.ts';

/** Limits in whole units of the reference currency, read. @throws RefusalError naming the field that is no amount */
export function readTierLimits(terms: z.output<typeof tierTermsSchema>): TierLimits {
  const read = (text: string, field: string) => readWireAmount(text, REFERENCE_DECIMALS, field);
  return {
    tierId: terms.tierId,
    autoLimit24hReferenceMinor: read(terms.autoLimit24h, 'autoLimit24h'),
    autoLimit30dReferenceMinor: read(terms.autoLimit30d, 'autoLimit30d'),
    secondApprovalReferenceMinor: read(terms.secondApproval, 'secondApproval'),
    hardLimit24hReferenceMinor: terms.hardLimit24h === null ? null : read(terms.hardLimit24h, 'hardLimit24h'),
    newAddressAutoReferenceMinor: terms.newAddressAuto === null ? null : read(terms.newAddressAuto, 'newAddressAuto'),
    velocityMax: terms.velocityMax,
  };
}

/** Minimum and fee in whole units of the asset, read. @throws RefusalError of an unknown asset, or naming the field */
export function readPairTerms(terms: z.output<typeof pairPlainTermsSchema>, catalogue: AssetCatalogue): PairTerms {
  const asset = findAsset(catalogue.assets, terms.asset);
  if (asset === null) throw new RefusalError(refuse('asset_unknown', { fields: ['asset'] }));
  return {
    assetId: asset.id,
    networkId: terms.network,
    minimumMinor: readPositive(terms.minimum, asset.decimals, 'minimum'),
    feeMinor: readWireAmount(terms.fee, asset.decimals, 'fee'),
    memoRule: terms.memoRule,
    enabled: terms.enabled,
    reviewAll: terms.reviewAll,
  };
}

/** Caps in whole units of the asset, read; null for none. @throws RefusalError of an unknown asset, or naming the field */
export function readAssetCaps(terms: z.output<typeof assetPlainCapsSchema>, catalogue: AssetCatalogue): AssetCaps {
  const asset = findAsset(catalogue.assets, terms.asset);
  if (asset === null) throw new RefusalError(refuse('asset_unknown', { fields: ['asset'] }));
  const read = (text: string | null, field: string) =>
    text === null ? null : readPositive(text, asset.decimals, field);
  return {
    assetId: asset.id,
    cap24hMinor: read(terms.cap24h, 'cap24h'),
    atRiskMaxMinor: read(terms.atRiskMax, 'atRiskMax'),
  };
}

/** A network's terms, under the names of our own. */
export function readNetworkTerms(terms: z.output<typeof networkPlainTermsSchema>): NetworkTerms {
  const { network: networkId, ...rest } = terms;
  return { networkId, ...rest };
}

/** A price in whole units of the reference currency, read. @throws RefusalError where it is none */
export function readPrice(terms: z.output<typeof priceSchema>): Price {
  return { assetId: terms.asset, referenceMinorPerUnit: readPositive(terms.price, REFERENCE_DECIMALS, 'price') };
}

function readPositive(text: string, decimals: number, field: string): bigint {
  const minor = readWireAmount(text, decimals, field);
  if (minor === 0n) throw new RefusalError(refuse('amount_not_positive', { fields: [field] }));
  return minor;
}
