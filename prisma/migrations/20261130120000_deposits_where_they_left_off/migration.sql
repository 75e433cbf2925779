-- Crediting goes on where it ended: everything up to here is final and was looked at, however far a turn of the indexer reached.
alter table chain_cursors add column credited_number bigint;
