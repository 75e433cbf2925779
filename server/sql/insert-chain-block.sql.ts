import type { Statement } from '#server/db/database.ts';

/**
 * A block and its effects. An effect is named by what it is, not by where it stood: seen again in another block it points
 * there and is no second one; the same ordinal with other content is another effect, and the old one is orphaned. A final effect is never touched.
 *
 * $1 network, $2 number, $3 hash, $4 parent's hash, $5 mined at, and as arrays: $6 transaction hashes, $7 ordinals, $8 contracts,
 * $9 from, $10 to, $11 amounts
 */
export const insertChainBlockSql: Statement = {
  name: 'insert_chain_block',
  text: `
with block as (
  insert into chain_blocks (network_id, block_hash, block_number, parent_hash, mined_at)
  values ($1, $3, $2::bigint, $4, $5) on conflict (network_id, block_hash) do update set canonical = true
), seen as (
  select * from unnest($6::text[], $7::integer[], $8::text[], $9::text[], $10::text[], $11::numeric[])
    as s(transaction_hash, ordinal, contract, from_address, to_address, amount_minor)
), replaced as (
  update chain_effects e set state = 'orphaned'
  from seen s
  where e.network_id = $1 and e.transaction_hash = s.transaction_hash and e.ordinal = s.ordinal and e.state = 'included'
    and (e.contract is distinct from s.contract or e.from_address <> s.from_address or e.to_address <> s.to_address
      or e.amount_minor <> s.amount_minor)
)
insert into chain_effects (network_id, transaction_hash, ordinal, contract, from_address, to_address, amount_minor,
  block_number, block_hash, state, withdrawal_id)
select $1, s.transaction_hash, s.ordinal, s.contract, s.from_address, s.to_address, s.amount_minor, $2::bigint, $3, 'included',
  (select w.id from withdrawal_transactions t
    join withdrawals w on w.id = t.withdrawal_id
    join asset_networks n on n.asset_id = w.asset_id and n.network_id = w.network_id
    where t.transaction_hash = s.transaction_hash and w.network_id = $1 and lower(n.contract) is not distinct from s.contract
      and lower(w.address) = s.to_address and w.amount_minor = s.amount_minor
    limit 1)
from seen s
on conflict on constraint chain_effects_content_unique do update
  set block_number = excluded.block_number, block_hash = excluded.block_hash, state = 'included',
    withdrawal_id = coalesce(chain_effects.withdrawal_id, excluded.withdrawal_id)
  where chain_effects.state <> 'final'
returning withdrawal_id`,
};
