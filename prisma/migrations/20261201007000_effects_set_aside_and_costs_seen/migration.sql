-- Each comparison of books asks whether something that was credited is set aside; without this it would read every effect there ever was.
create index chain_effects_set_aside on chain_effects (network_id, block_number) where state = 'orphaned';

-- When the node last showed a receipt of it: a cost that is only not final yet, or in a block that was not read yet, is not given up.
alter table withdrawal_transactions add column cost_seen_at timestamptz;
