import type { Db, Statement } from '#server/db/database.ts';
import { logger } from '#server/logger.ts';

/**
 * A case for each credited deposit that is on the chain no more, once, and its customer's payouts stop. Nothing is taken back by a
 * machine; two people book it, from available down to zero and the rest as receivable, and the case says how much of each.
 *
 * @param input.effectIds what `findVanishedDeposits` found
 */
export async function openVanishedCases(
  deps: { db: Db },
  input: { networkId: string; effectIds: readonly string[] },
): Promise<{ opened: number }> {
  const { networkId, effectIds } = input;
  if (effectIds.length === 0) return { opened: 0 };
  const opened = await deps.db.query<{ effect_id: string }>(openVanishedCasesSql, [effectIds]);
  for (const { effect_id: effectId } of opened) {
    logger().error('deposit.vanished', new Error('a credited deposit is no longer on the chain'), {
      networkId,
      effectId,
    });
  }
  return { opened: opened.length };
}

const openVanishedCasesSql: Statement = {
  name: 'open_vanished_deposit_cases',
  text: `
    with gone as (
      select d.effect_id, d.customer_id, d.asset_id, d.amount_minor, least(d.amount_minor, b.available_minor) as from_available, e.transaction_hash
      from deposits d join chain_effects e on e.id = d.effect_id
      join customer_balances b on b.customer_id = d.customer_id and b.asset_id = d.asset_id
      where d.effect_id = any ($1::bigint[])
    ), opened as (
      insert into cases (kind, fingerprint, customer_id, evidence)
      select 'deposit_vanished', 'deposit_vanished:' || g.effect_id, g.customer_id, jsonb_build_object('effectId', g.effect_id::text,
        'transactionHash', g.transaction_hash, 'asset', g.asset_id, 'amountMinor', g.amount_minor::text,
        'fromAvailableMinor', g.from_available::text, 'asReceivableMinor', (g.amount_minor - g.from_available)::text)
      from gone g order by g.effect_id on conflict (fingerprint) do nothing returning customer_id, evidence ->> 'effectId' as effect_id
    ), stopped as (
      update customers c set payouts_stopped_at = coalesce(c.payouts_stopped_at, protocol_now()),
        payouts_stopped_reason = coalesce(c.payouts_stopped_reason, 'deposit_vanished')
      from opened o where c.id = o.customer_id
    )
    select o.effect_id from opened o`,
};
