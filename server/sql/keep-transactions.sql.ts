import type { Statement } from '#server/db/database.ts';
import { effectPays } from '#server/sql/effect-pays.sql.ts';

/**
 * Keeps every hash that custody ever names for a withdrawal, and ties the chain's effects that came before the name to it.
 * One that was final as nobody's is open again, so that it is settled as this withdrawal's.
 *
 * $1 withdrawal, $2 hashes as the chain's reader writes them, $3 nonces (null where custody names none), $4 who named them
 */
export const keepTransactionsSql: Statement = {
  name: 'keep_transactions',
  text: `
with kept as (
  insert into withdrawal_transactions (withdrawal_id, transaction_hash, nonce, source)
  select $1::uuid, n.hash, n.nonce, $4 from unnest($2::text[], $3::bigint[]) as n(hash, nonce)
  on conflict do nothing returning transaction_hash
), tied as (
  update chain_effects e set withdrawal_id = w.id, state = 'included'
  from kept k, withdrawals w join asset_networks n on n.asset_id = w.asset_id and n.network_id = w.network_id
  where w.id = $1::uuid and e.transaction_hash = k.transaction_hash and e.network_id = w.network_id
    and e.withdrawal_id is null and e.state <> 'orphaned'
    and ${effectPays('e')}
  returning e.id
)
select (select count(*) from kept)::integer as kept, (select count(*) from tied)::integer as tied`,
};

/** The same for many. $1 withdrawals, $2 hashes of each as JSON, $3 nonces of each as JSON, $4 who named them */
export const gatheredKeepTransactionsSql: Statement = {
  name: 'gathered_keep_transactions',
  text: `
with asked as (
  select * from unnest($1::uuid[], $2::jsonb[], $3::jsonb[], $4::text[]) with ordinality as a(id, hashes, nonces, source, place)
), kept as (
  insert into withdrawal_transactions (withdrawal_id, transaction_hash, nonce, source)
  select q.id, n.hash, (q.nonces ->> (n.at::integer - 1))::bigint, q.source
  from asked q cross join lateral jsonb_array_elements_text(q.hashes) with ordinality as n(hash, at)
  order by q.id, n.hash
  on conflict do nothing returning withdrawal_id, transaction_hash
), tied as (
  update chain_effects e set withdrawal_id = w.id, state = 'included'
  from kept k join withdrawals w on w.id = k.withdrawal_id
    join asset_networks n on n.asset_id = w.asset_id and n.network_id = w.network_id
  where e.transaction_hash = k.transaction_hash and e.network_id = w.network_id
    and e.withdrawal_id is null and e.state <> 'orphaned'
    and ${effectPays('e')}
  returning e.withdrawal_id
)
select q.place::integer as place, (select count(*) from kept k where k.withdrawal_id = q.id)::integer as kept,
  (select count(*) from tied t where t.withdrawal_id = q.id)::integer as tied
from asked q`,
};
