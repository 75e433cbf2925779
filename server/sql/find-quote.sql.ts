import type { Statement } from '#server/db/database.ts';

export interface QuoteRow {
  readonly decimals: number;
  readonly fee_minor: string;
  readonly minimum_minor: string;
  readonly available_minor: string;
  readonly paused: boolean;
  readonly price: string | null;
  readonly price_age_ms: number | null;
  readonly usage: UsageJson | null;
}

/** Amounts as text: a number in JSON would lose digits. */
interface UsageJson {
  readonly auto_24h: string;
  readonly auto_30d: string;
  readonly second: string;
  readonly hard_24h: string | null;
  readonly asset_cap: string | null;
  readonly new_address: string | null;
  readonly velocity_max: number;
  readonly used_24h: string;
  readonly used_30d: string;
  readonly asset_24h: string;
  readonly in_window: number;
  readonly security_changed: boolean;
  readonly review_all: boolean;
}

/** Reads what the accepting call reads, by the same function, so that what is shown as left is what is left. */
export const findQuoteSql: Statement = {
  name: 'find_quote',
  text: `
    select a.decimals, p.fee_minor, p.minimum_minor, coalesce(b.available_minor, 0) as available_minor,
      not p.enabled or exists (
        select 1 from switches x where x.resumed_at is null and (x.scope = 'all' or (x.scope = 'asset' and x.target = p.asset_id)
          or (x.scope = 'network' and x.target = p.network_id) or (x.scope = 'customer' and x.target = $3::uuid::text))) as paused,
      r.reference_minor_per_unit as price,
      (extract(epoch from protocol_now() - r.as_of) * 1000)::double precision as price_age_ms,
      (select json_build_object(
          'auto_24h', t.auto_limit_24h_reference_minor::text, 'auto_30d', t.auto_limit_30d_reference_minor::text,
          'second', t.second_approval_reference_minor::text, 'hard_24h', t.hard_limit_24h_reference_minor::text,
          'asset_cap', a.cap_24h_minor::text, 'new_address', t.new_address_auto_reference_minor::text, 'velocity_max', t.velocity_max,
          'used_24h', d.used::text, 'asset_24h', d.of_asset::text, 'used_30d', m.used::text, 'in_window', v.requests,
          'security_changed', coalesce(c.security_changed_at > protocol_now() - (select s.security_review from protocol_settings s), false),
          'review_all', c.review_all or p.review_all)
        from customers c join tiers t on t.id = c.tier
        cross join lateral (
          select coalesce(sum(u.value_reference_minor), 0)::numeric(78, 0) as used,
            coalesce(sum(u.total_minor) filter (where u.asset_id = p.asset_id), 0)::numeric(78, 0) as of_asset
          from withdrawals_counted_since(c.id, protocol_now() - interval '24 hours') u) d
        cross join lateral (
          select coalesce(sum(u.value_reference_minor), 0)::numeric(78, 0) as used
          from withdrawals_counted_since(c.id, protocol_now() - interval '30 days') u) m
        cross join lateral (
          select coalesce(sum(u.requests), 0)::integer as requests
          from withdrawals_counted_since(c.id, protocol_now() - t.velocity_window) u) v
        where c.id = $3) as usage
    from asset_networks p join assets a on a.id = p.asset_id
    left join customer_balances b on b.asset_id = p.asset_id and b.customer_id = $3
    left join prices r on r.asset_id = p.asset_id
    where p.asset_id = $1 and p.network_id = $2`,
};
