-- Every hash that custody names is looked for among the effects that are nobody's yet. By the index of all of them the planner has to know
-- the network, which only the withdrawal tells, and it read all effects there ever were instead, once for every batch of events.
create index chain_effects_of_nobody on chain_effects (transaction_hash) where withdrawal_id is null;
