-- What somebody did by one opened form is written down once, however often it is pressed: the form's id stands with the row. It is no
-- part of the chain, which says what was done and not by which press.
alter table audit_log add column deed_id uuid;
create unique index audit_log_one_deed on audit_log (deed_id) where deed_id is not null;
comment on index audit_log_one_deed is 'one press of a button, repeated, is one deed';
