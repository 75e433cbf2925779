-- What custody has not ended yet it may have set aside, whatever we have booked: a wallet that lacks no more than that lacks nothing.
alter table reconciliation_seen add column open boolean not null default false;
