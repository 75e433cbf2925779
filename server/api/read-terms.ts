import type { z } from 'zod';
import { findAsset } from '#domain/asset.ts';
import { refuse } from '#domain/refusal.ts';
import { REFERENCE_DECIMALS } from '#domain/withdrawal-limits.ts';
import type { pairPlainTermsSchema, tierTermsSchema } from '#server/api/money-schemas.ts';
import { readWireAmount } from '#server/api/read-wire-amount.ts';
import { RefusalError } from '#server/api/refusal-to-trpc.ts';
import type { PairTerms } from '#server/limits/change-pair.ts';
import type { TierLimits } from '#server/limits/set-tier.ts';
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
  const minimumMinor = readWireAmount(terms.minimum, asset.decimals, 'minimum');
  if (minimumMinor === 0n) throw new RefusalError(refuse('amount_not_positive', { fields: ['minimum'] }));
  return {
    assetId: asset.id,
    networkId: terms.network,
    minimumMinor,
    feeMinor: readWireAmount(terms.fee, asset.decimals, 'fee'),
    memoRule: terms.memoRule,
    enabled: terms.enabled,
    reviewAll: terms.reviewAll,
  };
}
