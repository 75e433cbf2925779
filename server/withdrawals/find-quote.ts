import { formatAmount } from '#domain/money.ts';
import { type Refusal, refuse } from '#domain/refusal.ts';
import { maximumRequest } from '#domain/withdrawal-fee.ts';
import type { Db, Statement } from '#server/db/database.ts';
import type { CatalogueCache } from '#server/withdrawals/catalogue-cache.ts';
import { toMinor } from '#server/withdrawals/withdrawal-row.ts';

/** What a withdrawal of this pair would cost now, in decimal text. */
export interface Quote {
  fee: string;
  minimum: string;
  available: string;
  decimals: number;
  /** New requests of this pair are refused for now. */
  paused: boolean;
  /** The most that can be asked for when the fee comes on top. */
  maximumOnTop: string;
  /** The most that can be asked for when the fee comes out of it. */
  maximumFromAmount: string;
}

/** Terms and room for one customer, read fresh: what a review shows must be what is accepted. */
export async function findQuote(
  deps: { db: Db; catalogue: CatalogueCache },
  input: { customerId: string; asset: string; network: string },
): Promise<{ kind: 'quote'; quote: Quote } | { kind: 'refused'; refusal: Refusal }> {
  const [row] = await deps.db.query<QuoteRow>(findQuoteSql, [input.asset, input.network, input.customerId]);
  if (row === undefined) {
    const { assets } = await deps.catalogue.read();
    const isKnown = assets.some((asset) => asset.id === input.asset);
    const refusal = isKnown
      ? refuse('network_unknown', { fields: ['network'] })
      : refuse('asset_unknown', { fields: ['asset'] });
    return { kind: 'refused', refusal };
  }
  const room = { availableMinor: toMinor(row.available_minor), feeMinor: toMinor(row.fee_minor) };
  const show = (minor: bigint) => formatAmount(minor, row.decimals);
  return {
    kind: 'quote',
    quote: {
      fee: show(room.feeMinor),
      minimum: show(toMinor(row.minimum_minor)),
      available: show(room.availableMinor),
      decimals: row.decimals,
      paused: row.paused,
      maximumOnTop: show(maximumRequest({ ...room, feeMode: 'on_top' })),
      maximumFromAmount: show(maximumRequest({ ...room, feeMode: 'from_amount' })),
    },
  };
}

interface QuoteRow {
  readonly decimals: number;
  readonly fee_minor: string;
  readonly minimum_minor: string;
  readonly available_minor: string;
  readonly paused: boolean;
}

const findQuoteSql: Statement = {
  name: 'find_quote',
  text: `
    select a.decimals, p.fee_minor, p.minimum_minor, coalesce(b.available_minor, 0) as available_minor,
      not p.enabled or exists (
        select 1 from switches x where x.resumed_at is null and (x.scope = 'all' or (x.scope = 'asset' and x.target = p.asset_id)
          or (x.scope = 'network' and x.target = p.network_id) or (x.scope = 'customer' and x.target = $3::uuid::text))) as paused
    from asset_networks p join assets a on a.id = p.asset_id
    left join customer_balances b on b.asset_id = p.asset_id and b.customer_id = $3
    where p.asset_id = $1 and p.network_id = $2`,
};
