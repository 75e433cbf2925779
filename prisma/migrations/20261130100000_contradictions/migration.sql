-- A refusal is final only by what a look-up shows, so it goes by doubt: nobody ever took the short way from a send to its failure,
-- and a door that nobody needs is a door for a mistake.
alter table withdrawal_legal_transitions disable trigger withdrawal_legal_transitions_fixed;
delete from withdrawal_legal_transitions where from_status = 'dispatching' and to_status = 'failed';
-- Nor is anything rejected that nobody has to approve any more: it runs, or its customer takes it back.
delete from withdrawal_legal_transitions where from_status = 'queued' and to_status = 'rejected';
alter table withdrawal_legal_transitions enable trigger withdrawal_legal_transitions_fixed;

-- Whether the look-up that took the row's present fence proved that no send of it made a transfer or ever will. Said by the
-- look-up itself and not by the reason for which the row waits for people, which may be another.
create or replace function withdrawal_absence_proved(w withdrawals) returns boolean language sql stable as $$
  select w.transfer_id is null
    and exists (select 1 from withdrawal_attempts a where a.withdrawal_id = w.id and a.kind = 'look_up' and a.fence = w.fence
      and a.outcome = 'not_found' and coalesce((a.detail ->> 'absenceProved')::boolean, false))
    -- By our clock too: whatever custody said, bytes that may still be carried out are not absent.
    and not exists (select 1 from withdrawal_attempts a where a.withdrawal_id = w.id and a.kind = 'send'
      and coalesce(a.outcome, 'in_doubt') not in ('not_sent', 'later') and coalesce(a.not_after > protocol_now(), true))
    and not exists (select 1 from withdrawal_attempts a where a.withdrawal_id = w.id
      and (a.outcome in ('accepted', 'found') or a.late_outcome in ('accepted', 'found')))
    and not exists (select 1 from withdrawal_transactions t where t.withdrawal_id = w.id)
    and not exists (select 1 from inbox_events e where e.reference = w.idempotency_key and e.applied_at is null)
$$;
