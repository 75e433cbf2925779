import type { Statement } from '#server/db/database.ts';
import { effectPays } from '#server/sql/effect-pays.sql.ts';

/**
 * A run of blocks and their effects, however many, in one statement. An effect is named by what it is, not by where it stood:
 * seen again in another block it points there and is no second one; the same ordinal with other content is another effect, and
 * the old one is orphaned. A final effect is never touched. What is nobody's payment and already deep enough below the run's
 * last block is born final, so that catching up writes it once.
 *
 * $1 network; the blocks as arrays: $2 numbers, $3 hashes, $4 parents' hashes, $5 mined at; the effects as arrays: $6 places of
 * their blocks in the run from 1, $7 transaction hashes, $8 ordinals, $9 contracts, $10 from, $11 to, $12 amounts; $13 the
 * run's last number; $14 the effects' memos
 */
export const insertChainBlocksSql: Statement = {
  name: 'insert_chain_blocks',
  text: `
with run as (
  select * from unnest($2::bigint[], $3::text[], $4::text[], $5::timestamptz[]) with ordinality
    as r(block_number, block_hash, parent_hash, mined_at, place)
), blocks as (
  insert into chain_blocks (network_id, block_hash, block_number, parent_hash, mined_at)
  select $1, block_hash, block_number, parent_hash, mined_at from run order by place
  on conflict (network_id, block_hash) do update set canonical = true
), seen as (
  select s.*, r.block_number, r.block_hash, t.withdrawal_id
  from unnest($6::bigint[], $7::text[], $8::integer[], $9::text[], $10::text[], $11::text[], $12::numeric[], $14::text[])
    as s(place, transaction_hash, ordinal, contract, from_address, to_address, amount_minor, memo)
  join run r on r.place = s.place
  left join lateral (
    select w.id as withdrawal_id from withdrawal_transactions t
    join withdrawals w on w.id = t.withdrawal_id
    join asset_networks n on n.asset_id = w.asset_id and n.network_id = w.network_id
    where t.transaction_hash = s.transaction_hash and w.network_id = $1
      and ${effectPays('s')}
    limit 1
  ) t on true
), replaced as (
  -- One look each by the unique key. Asked as a plain join, or with the state spelt as the small index spells it, a planner that
  -- has never seen a full table reads every open effect once a block.
  update chain_effects e set state = 'orphaned'
  from seen s cross join lateral (
    select x.id from chain_effects x
    where x.network_id = $1 and x.transaction_hash = s.transaction_hash and x.ordinal = s.ordinal
      and x.state not in ('final', 'orphaned')
      and (x.contract is distinct from s.contract or x.from_address <> s.from_address or x.to_address <> s.to_address
        or x.amount_minor <> s.amount_minor)
    offset 0
  ) x
  where e.id = x.id
)
insert into chain_effects (network_id, transaction_hash, ordinal, contract, from_address, to_address, amount_minor,
  memo, block_number, block_hash, state, withdrawal_id)
select $1, s.transaction_hash, s.ordinal, s.contract, s.from_address, s.to_address, s.amount_minor, s.memo, s.block_number, s.block_hash,
  case when s.withdrawal_id is null and s.block_number <= $13::bigint + 1 - (select finality_at(n, $13) from networks n where n.id = $1)
    then 'final' else 'included' end,
  s.withdrawal_id
from seen s
on conflict on constraint chain_effects_content_unique do update
  set block_number = excluded.block_number, block_hash = excluded.block_hash, memo = excluded.memo,
    withdrawal_id = coalesce(chain_effects.withdrawal_id, excluded.withdrawal_id),
    state = case when chain_effects.withdrawal_id is null then excluded.state else 'included' end
  where chain_effects.state <> 'final'`,
};
