import type { Db, Statement } from '#server/db/database.ts';
import { logger } from '#server/logger.ts';

// More than any reorg that anybody has seen; what lies below is as good as never.
const LOOKED_AT_MAX = 1_000;

interface CreditedDeposit {
  readonly effect_id: string;
  readonly block_number: string;
  readonly block_hash: string;
  readonly transaction_hash: string;
}

/** What the deed asks of the chain: its reader's port has more. */
export interface PresentChain {
  header(number: number): Promise<{ readonly hash: string } | null>;
  transaction(hash: string): Promise<{ readonly receipt: { readonly succeeded: boolean } | null }>;
}

/**
 * After a reorg deeper than finality: every deposit that was credited and is on the chain no more gets a case, once, and its
 * customer's payouts stop. Nothing is taken back by a machine; two people book it, from available down to zero and the rest
 * as receivable, and the case says how much of each.
 *
 * @param input.below the newest number that was indexed; from there the walk goes down to the first block that still stands
 */
export async function reportVanishedDeposits(
  deps: { db: Db; chain: PresentChain },
  input: { networkId: string; below: number },
): Promise<{ vanished: number }> {
  const { networkId, below } = input;
  const values = [networkId, below, LOOKED_AT_MAX];
  const credited = await deps.db.query<CreditedDeposit>(findCreditedSql, values);
  let vanished = 0;
  for (const deposit of credited) {
    if ((await deps.chain.header(Number(deposit.block_number)))?.hash === deposit.block_hash) break;
    const { receipt } = await deps.chain.transaction(deposit.transaction_hash);
    // It only stands elsewhere: its coins are there.
    if (receipt?.succeeded === true) continue;
    const opened = await deps.db.query(openVanishedCaseSql, [deposit.effect_id]);
    if (opened.length === 0) continue;
    vanished += 1;
    const fields = { networkId, effectId: deposit.effect_id };
    logger().error('deposit.vanished', new Error('a credited deposit is no longer on the chain'), fields);
  }
  return { vanished };
}

const findCreditedSql: Statement = {
  name: 'find_credited_deposits',
  text: `
    select e.id as effect_id, e.block_number, e.block_hash, e.transaction_hash
    from deposits d join chain_effects e on e.id = d.effect_id
    where e.network_id = $1 and e.block_number <= $2::bigint and e.block_number > $2::bigint - $3::bigint
    order by e.block_number desc, e.id`,
};

const openVanishedCaseSql: Statement = {
  name: 'open_vanished_deposit_case',
  text: `
    with gone as (
      select d.effect_id, d.customer_id, d.asset_id, d.amount_minor, least(d.amount_minor, b.available_minor) as from_available, e.transaction_hash
      from deposits d join chain_effects e on e.id = d.effect_id
      join customer_balances b on b.customer_id = d.customer_id and b.asset_id = d.asset_id
      where d.effect_id = $1
    ), opened as (
      insert into cases (kind, fingerprint, customer_id, evidence)
      select 'deposit_vanished', 'deposit_vanished:' || g.effect_id, g.customer_id, jsonb_build_object('effectId', g.effect_id::text,
        'transactionHash', g.transaction_hash, 'asset', g.asset_id, 'amountMinor', g.amount_minor::text,
        'fromAvailableMinor', g.from_available::text, 'asReceivableMinor', (g.amount_minor - g.from_available)::text)
      from gone g on conflict (fingerprint) do nothing returning id, customer_id
    )
    update customers c set payouts_stopped_at = coalesce(c.payouts_stopped_at, protocol_now()),
      payouts_stopped_reason = coalesce(c.payouts_stopped_reason, 'deposit_vanished')
    from opened o where c.id = o.customer_id returning o.id`,
};
