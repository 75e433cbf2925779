/**
 * Closes an external id for ever, unless something was made under it: then `holder` is that transfer. A create that runs at the same
 * time ends before this, or finds the reference closed.
 */
export const closeReferenceSql = `
create or replace function close_reference(p_external_id text, out holder text, out said_at timestamptz) language plpgsql as $$
begin
  -- Creates share this lock. Alone with it, nobody is between having read closed_reference and having made a transfer.
  perform pg_advisory_xact_lock(7220002);
  -- Out of the log: transfers are forgotten, the log is not.
  select l.transfer_id into holder from transfer_log l where l.external_id = p_external_id and l.transfer_id is not null order by l.seq limit 1;
  said_at := custody_now();
  if holder is null then
    insert into closed_reference (external_id, closed_at) values (p_external_id, said_at) on conflict do nothing;
    if found then
      insert into transfer_log (custody_at, kind, external_id) values (said_at, 'closed', p_external_id);
    end if;
  end if;
end $$;
`;
