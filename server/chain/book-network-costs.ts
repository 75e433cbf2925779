import { ChainAnswerRefused, type ChainPort, type TransactionCost } from '#server/chain/chain-port.ts';
import type { Database, Statement } from '#server/db/database.ts';
import { logger } from '#server/logger.ts';

// One question to the node each; the next head takes others.
const LOOKED_AT_A_HEAD = 100;

interface OpenTransaction {
  readonly withdrawal_id: string;
  readonly transaction_hash: string;
}

/**
 * Books what the transactions of our withdrawals cost on their network, out of the hot wallet that paid it: gas used at the price
 * that the receipt names, failed ones as well, once a hash however often it is looked at. A transaction is looked at when its
 * withdrawal has ended or it is dead, and booked when its block is one that we have read and final. One that another replaced was
 * never mined and cost nothing; it is given up an hour after its withdrawal has ended. One whose receipt was seen waits for its block
 * as long as that takes, and a day longer should the node show the receipt no more.
 *
 * @param input.headNumber the newest block that is indexed
 * @throws ChainAnswerRefused, or the network's error
 */
export async function bookNetworkCosts(
  deps: { db: Database; chain: Pick<ChainPort, 'cost'> },
  input: { networkId: string; headNumber: number },
): Promise<{ booked: number }> {
  const { networkId, headNumber } = input;
  await deps.db.query(settleUnreadSql, [LOOKED_AT_A_HEAD]);
  const open = await deps.db.query<OpenTransaction>(findOpenSql, [networkId, LOOKED_AT_A_HEAD]);
  let booked = 0;
  for (const { withdrawal_id: withdrawalId, transaction_hash: hash } of open) {
    const cost = await askCost(deps, { withdrawalId, hash });
    if (cost === 'refused') continue;
    if (cost !== null) {
      const { blockNumber, blockHash, from, minor, succeeded } = cost;
      const values = [networkId, hash, minor.toString(), blockNumber, blockHash, succeeded, from, headNumber];
      if ((await deps.db.query(bookSql, values)).length > 0) {
        booked += 1;
        logger().info('network_cost.booked', { withdrawalId, transactionHash: hash, minor: minor.toString() });
      }
    }
    const block = [cost?.blockNumber ?? null, cost?.blockHash ?? null, headNumber];
    await deps.db.query(keepLookSql, [withdrawalId, hash, networkId, cost !== null, cost?.minor === 0n, ...block]);
  }
  return { booked };
}

/**
 * An answer about one transaction that does not agree with itself must not keep the others waiting: it is asked about again later, for a
 * day. What was never booked then shows as a difference between the books and the wallet, which people look at.
 */
async function askCost(
  deps: { db: Database; chain: Pick<ChainPort, 'cost'> },
  { withdrawalId, hash }: { withdrawalId: string; hash: string },
): Promise<TransactionCost | 'refused' | null> {
  try {
    return await deps.chain.cost(hash);
  } catch (error) {
    if (!(error instanceof ChainAnswerRefused)) throw error;
    logger().warn('network_cost.refused', { withdrawalId, transactionHash: hash, reason: error.message });
    const [kept] = await deps.db.query<{ given_up: boolean }>(keepRefusedLookSql, [withdrawalId, hash]);
    if (kept?.given_up) logger().error('network_cost.given_up', { withdrawalId, transactionHash: hash });
    return 'refused';
  }
}

// On networks that nobody of ours reads no receipt is ever seen.
const settleUnreadSql: Statement = {
  name: 'settle_unread_costs',
  text: `
    update withdrawal_transactions t set cost_settled_at = protocol_now()
    from (
      select x.withdrawal_id, x.transaction_hash from withdrawal_transactions x join withdrawals w on w.id = x.withdrawal_id
      where x.cost_settled_at is null and not exists (select 1 from chain_cursors c where c.network_id = w.network_id)
      order by x.first_seen_at limit $1
    ) u where t.withdrawal_id = u.withdrawal_id and t.transaction_hash = u.transaction_hash`,
};

const findOpenSql: Statement = {
  name: 'find_open_costs',
  text: `
    select t.withdrawal_id, t.transaction_hash
    from withdrawal_transactions t join withdrawals w on w.id = t.withdrawal_id
    where t.cost_settled_at is null and w.network_id = $1 and (w.ended_at is not null or t.dead_at is not null)
      and coalesce(t.cost_looked_at < protocol_now() - interval '1 minute', true)
    order by t.first_seen_at limit $2`,
};

// Only a block of our own index, so that a node which lies about one receipt books nothing by it.
const bookSql: Statement = {
  name: 'book_network_cost',
  text: `
    with kept as (
      insert into network_costs (network_id, transaction_hash, asset_id, amount_minor, block_number, block_hash, succeeded)
      select n.id, $2, p.asset_id, $3::numeric, b.block_number, b.block_hash, $6
      from networks n
      join chain_blocks b on b.network_id = n.id and b.block_number = $4::bigint and b.block_hash = $5 and b.canonical
      join asset_networks p on p.network_id = n.id and p.contract is null
      where n.id = $1 and b.block_number <= $8::bigint + 1 - finality_at(n, $8) and $3::numeric > 0
        -- A token that is not on the chain yet has no contract either.
        and (select count(*) from asset_networks x where x.network_id = n.id and x.contract is null) = 1
        and exists (select 1 from own_addresses o where o.network_id = n.id and o.kind = 'hot_wallet' and chain_text(o.address) = $7)
      on conflict do nothing
      returning id, asset_id, amount_minor
    ), transfer as (
      insert into ledger_transfers (asset_id, kind, source_id) select k.asset_id, 'network_cost', k.id from kept k returning id, source_id
    ), entry as (
      insert into ledger_entries (transfer_id, leg, asset_id, debit_account_id, credit_account_id, amount_minor)
      select t.id, 1, k.asset_id, ledger_house_account(k.asset_id, 'network_costs'), ledger_house_account(k.asset_id, 'custody_hot'), k.amount_minor
      from transfer t join kept k on k.id = t.source_id
    )
    select id from kept`,
};

const keepRefusedLookSql: Statement = {
  name: 'keep_refused_cost_look',
  text: `
    update withdrawal_transactions t set cost_looked_at = protocol_now(),
      cost_settled_at = case when coalesce(w.ended_at, t.dead_at) < protocol_now() - interval '1 day' then protocol_now() end
    from withdrawals w where w.id = t.withdrawal_id and t.withdrawal_id = $1 and t.transaction_hash = $2
    returning t.cost_settled_at is not null as given_up`,
};

const keepLookSql: Statement = {
  name: 'keep_cost_look',
  text: `
    update withdrawal_transactions t set cost_looked_at = protocol_now(),
      cost_seen_at = case when $4::boolean then protocol_now() else t.cost_seen_at end,
      cost_settled_at = case when exists (select 1 from network_costs c where c.network_id = $3 and c.transaction_hash = t.transaction_hash)
          -- Final and free of charge, or paid in a coin that is none of our assets: there is nothing to book.
          or (($5::boolean or not exists (select 1 from asset_networks p where p.network_id = $3 and p.contract is null))
            and exists (select 1 from chain_blocks b join networks n on n.id = b.network_id where b.network_id = $3 and b.block_number = $6::bigint
              and b.block_hash = $7 and b.canonical and b.block_number <= $8::bigint + 1 - finality_at(n, $8)))
          or (not $4::boolean and w.ended_at < protocol_now() - interval '1 hour'
            and coalesce(t.cost_seen_at < protocol_now() - interval '1 day', true)) then protocol_now() end
    from withdrawals w where w.id = t.withdrawal_id and t.withdrawal_id = $1 and t.transaction_hash = $2`,
};
