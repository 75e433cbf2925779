-- The operators' list of what failed since a time: a few among millions, and a place in the index for each page.
create index withdrawals_failed on withdrawals (ended_at desc, id desc) where status = 'failed';
