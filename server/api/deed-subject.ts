import type { z } from 'zod';
import type { deedSchema } from '#server/api/operator-schemas.ts';
import { readAssetCaps, readNetworkTerms, readPairTerms, readTierLimits } from '#server/api/read-terms.ts';
import type { DeedSubject } from '#server/auth/confirm-deed.ts';
import { assetSubject } from '#server/limits/change-asset.ts';
import { networkSubject } from '#server/limits/change-network.ts';
import { pairSubject } from '#server/limits/change-pair.ts';
import { customerTierSubject } from '#server/limits/set-customer-tier.ts';
import { tierSubject } from '#server/limits/set-tier.ts';
import type { AssetCatalogue } from '#server/withdrawals/find-asset-catalogue.ts';

/** A deed as a page names it before it is confirmed. */
export type AskedDeed = z.input<typeof deedSchema>;

/** The same deed as the database names it: a change of terms by the new values, everything else by its row. */
export function deedSubjectOf(asked: z.output<typeof deedSchema>, catalogue: AssetCatalogue): DeedSubject {
  const { deed } = asked;
  switch (deed) {
    case 'set_tier':
      return { deed, subject: tierSubject(readTierLimits(asked.terms)) };
    case 'set_customer_tier':
      return { deed, subject: customerTierSubject(asked.terms) };
    case 'set_pair':
      return { deed, subject: pairSubject(readPairTerms(asked.terms, catalogue)) };
    case 'set_asset':
      return { deed, subject: assetSubject(readAssetCaps(asked.terms, catalogue)) };
    case 'set_network':
      return { deed, subject: networkSubject(readNetworkTerms(asked.terms)) };
    default:
      return { deed, subject: asked.subject };
  }
}
