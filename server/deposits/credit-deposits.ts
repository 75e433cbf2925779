import type { Database, Statement } from '#server/db/database.ts';
import { logger } from '#server/logger.ts';

/**
 * Credits what has become final on customers' addresses since the last time, once an effect, in one statement: what is there
 * already is not booked again, whoever runs beside us, and the mark moves only with the bookings below it. The amount is what the log says arrived. Before finality nothing is booked, so a
 * reorg takes nothing back.
 */
export async function creditDeposits(
  deps: { db: Database },
  input: { networkId: string; headNumber: number },
): Promise<{ credited: number }> {
  const { networkId, headNumber } = input;
  const credited = await deps.db.query<{ effect_id: string; asset_id: string }>(creditDepositsSql, [
    networkId,
    headNumber,
  ]);
  for (const row of credited) logger().info('deposit.credited', { effectId: row.effect_id, assetId: row.asset_id });
  return { credited: credited.length };
}

const creditDepositsSql: Statement = {
  name: 'credit_deposits',
  text: `
    with span as (
      select n.id, coalesce(c.credited_number, -1) as after, $2::bigint + 1 - finality_at(n, $2) as upto
      from networks n join chain_cursors c on c.network_id = n.id where n.id = $1
    ), marked as (
      update chain_cursors c set credited_number = s.upto from span s where c.network_id = s.id and s.upto > s.after
    ), due as (
      select e.id, d.customer_id, p.asset_id, e.amount_minor
      from span n
      join chain_effects e on e.network_id = n.id and e.block_number > n.after and e.block_number <= n.upto
      join deposit_addresses d on d.network_id = e.network_id and d.chain_address = e.to_address
        and (d.memo is null or d.memo = e.memo)
      join asset_networks p on p.network_id = e.network_id and chain_text(p.contract) is not distinct from e.contract
      where e.state <> 'orphaned' and e.amount_minor > 0
        -- A token that is not on the chain yet has no contract either, and is not the network's coin.
        and (p.contract is not null or (select count(*) from asset_networks x where x.network_id = n.id and x.contract is null) = 1)
        and not exists (select 1 from deposits x where x.effect_id = e.id)
      order by e.id
    ), kept as (
      insert into deposits (effect_id, customer_id, asset_id, amount_minor)
      select u.id, u.customer_id, u.asset_id, u.amount_minor from due u on conflict do nothing
      returning effect_id, id, customer_id, asset_id, amount_minor
    ), transfer as (
      insert into ledger_transfers (asset_id, kind, source_id) select k.asset_id, 'deposit', k.id from kept k returning id, source_id
    ), entry as (
      insert into ledger_entries (transfer_id, leg, asset_id, debit_account_id, credit_account_id, amount_minor)
      select t.id, 1, k.asset_id, ledger_house_account(k.asset_id, 'custody_hot'), b.available_account_id, k.amount_minor
      from transfer t join kept k on k.id = t.source_id
      join customer_balances b on b.customer_id = k.customer_id and b.asset_id = k.asset_id
    )
    select effect_id, asset_id from kept`,
};
