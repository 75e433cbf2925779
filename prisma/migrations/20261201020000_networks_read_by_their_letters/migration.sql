-- Hashes, contracts and addresses as they are compared. Behind 0x letter case is at most a checksum; in base58 and elsewhere it is part of
-- the text. The same rule as server/domain/chain-text.ts.
create function chain_text(text) returns text language sql immutable parallel safe
  as $$ select case when $1 ~* '^0x[0-9a-f]*$' then lower($1) else $1 end $$;

-- A destination tag is part of what was paid, and says whose deposit it is where one address serves everybody.
alter table chain_effects add column memo text;

-- Until today every hash was kept in lower case. The XRP ledger writes its own in upper case; what base58 was cannot be told any more, and
-- custody names it again at its next look.
update withdrawal_transactions t set transaction_hash = upper(t.transaction_hash)
from withdrawals w join networks n on n.id = w.network_id
where w.id = t.withdrawal_id and n.family = 'xrp' and t.transaction_hash ~ '[a-z]';
update withdrawals w set transaction_hash = upper(w.transaction_hash)
from networks n where n.id = w.network_id and n.family = 'xrp' and w.transaction_hash ~ '[a-z]' and w.status in ('submitted', 'broadcast');
