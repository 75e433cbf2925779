-- The control beside every "not found": the newest transfer that custody accepted before a moment, in one index row.
create index withdrawals_accepted_newest on withdrawals (provider, provider_account, submitted_at desc) where transfer_id is not null;
-- The sweeper asks of each due row whether a wake-up is waiting or was given lately.
create index outbox_withdrawal on outbox (withdrawal_id, id desc);
