import { formatAmount, fromMinorText } from '#domain/money.ts';
import type { Db, Statement } from '#server/db/database.ts';

/** What operators set and customers are not shown; amounts in whole units, null for none. */
export interface ShownPairTerms {
  assetId: string;
  networkId: string;
  /** Every request of the pair waits for a person. */
  reviewAll: boolean;
  cap24h: string | null;
  atRiskMax: string | null;
}

/** Every pair with the caps of its asset. */
export async function findPairTerms(deps: { db: Db }): Promise<readonly ShownPairTerms[]> {
  const rows = await deps.db.query<PairTermsRow>(findPairTermsSql, []);
  return rows.map((row) => {
    const show = (minor: string | null) => (minor === null ? null : formatAmount(fromMinorText(minor), row.decimals));
    return {
      assetId: row.asset_id,
      networkId: row.network_id,
      reviewAll: row.review_all,
      cap24h: show(row.cap_24h_minor),
      atRiskMax: show(row.at_risk_max_minor),
    };
  });
}

interface PairTermsRow {
  readonly asset_id: string;
  readonly network_id: string;
  readonly decimals: number;
  readonly review_all: boolean;
  readonly cap_24h_minor: string | null;
  readonly at_risk_max_minor: string | null;
}

const findPairTermsSql: Statement = {
  name: 'find_pair_terms',
  text: `
    select p.asset_id, p.network_id, a.decimals, p.review_all, a.cap_24h_minor, a.at_risk_max_minor
    from asset_networks p join assets a on a.id = p.asset_id order by 1, 2`,
};
