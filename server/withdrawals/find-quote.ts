import { findLimitRoom, type LimitRoom } from '#domain/limit-room.ts';
import { formatAmount } from '#domain/money.ts';
import { type Refusal, refuse } from '#domain/refusal.ts';
import { maximumRequest } from '#domain/withdrawal-fee.ts';
import { REFERENCE_CURRENCY, REFERENCE_DECIMALS } from '#domain/withdrawal-limits.ts';
import type { ApprovalReason } from '#domain/withdrawal-policy.ts';
import type { Db } from '#server/db/database.ts';
import { findQuoteSql, type QuoteRow } from '#server/sql/find-quote.sql.ts';
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
  /** Null for somebody who has no limits yet. */
  limit: QuotedLimit | null;
  /** Roughly what one whole unit is worth; null where there is no price. For the eye: nothing is decided by it. */
  worth: { currency: string; perUnit: string } | null;
}

/** What the limits leave. Totals are of one request, fee included, in whole units of the asset. */
export interface QuotedLimit {
  currency: string;
  /** Of the rolling 24 hours and 30 days, in the reference currency, rounded down to cents. */
  left24h: string;
  left30d: string;
  /** Of the asset's own cap in 24 hours; null where it has none. */
  assetCapLeft: string | null;
  /** Up to this total no person looks at the request; "0" where one looks at any. */
  withoutApproval: string;
  /** The same to an address that was never paid; null where it makes no difference. */
  withoutApprovalToNewAddress: string | null;
  /** Above this total it is refused; null where nothing bounds it. */
  refusedAbove: string | null;
  /** Why a person looks at the next request, however small. */
  reasons: readonly ApprovalReason[];
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
      limit: toQuotedLimit(row),
      worth:
        row.price === null
          ? null
          : { currency: REFERENCE_CURRENCY, perUnit: formatAmount(toMinor(row.price), REFERENCE_DECIMALS) },
    },
  };
}

function toQuotedLimit(row: QuoteRow): QuotedLimit | null {
  const { usage } = row;
  if (usage === null) return null;
  const minorOrNull = (text: string | null) => (text === null ? null : toMinor(text));
  const room = findLimitRoom({
    decimals: row.decimals,
    rules: {
      autoLimit24hReferenceMinor: toMinor(usage.auto_24h),
      autoLimit30dReferenceMinor: toMinor(usage.auto_30d),
      secondApprovalReferenceMinor: toMinor(usage.second),
      hardLimit24hReferenceMinor: minorOrNull(usage.hard_24h),
      assetCap24hMinor: minorOrNull(usage.asset_cap),
      newAddressAutoReferenceMinor: minorOrNull(usage.new_address),
      velocityMax: usage.velocity_max,
    },
    usage: {
      used24hReferenceMinor: toMinor(usage.used_24h),
      used30dReferenceMinor: toMinor(usage.used_30d),
      assetUsed24hMinor: toMinor(usage.asset_24h),
      requestsInWindow: usage.in_window,
    },
    price:
      row.price === null || row.price_age_ms === null
        ? null
        : { referenceMinorPerUnit: toMinor(row.price), ageMs: row.price_age_ms },
    securityChangedRecently: usage.security_changed,
    approvalSwitch: usage.review_all,
  });
  return showRoom(room, row.decimals);
}

function showRoom(room: LimitRoom, decimals: number): QuotedLimit {
  const show = (minor: bigint) => formatAmount(minor, decimals);
  const showOrNull = (minor: bigint | null) => (minor === null ? null : show(minor));
  return {
    currency: REFERENCE_CURRENCY,
    left24h: inCents(room.left24hReferenceMinor),
    left30d: inCents(room.left30dReferenceMinor),
    assetCapLeft: showOrNull(room.assetCapLeftMinor),
    withoutApproval: show(room.withoutApprovalMinor),
    withoutApprovalToNewAddress: showOrNull(room.toNewAddressMinor),
    refusedAbove: showOrNull(room.acceptedMinor),
    reasons: room.standingReasons,
  };
}

/** Rounded down: more than is left is never promised. */
function inCents(referenceMinor: bigint): string {
  return formatAmount(referenceMinor / 10n ** BigInt(REFERENCE_DECIMALS - 2), 2);
}
