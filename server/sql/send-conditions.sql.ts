// What several statements read in themselves before anything is sent, or taken back as not sent.

/**
 * That what we hold is not older than the world. The sign of life is given only by a worker that has walked custody's list in this very
 * life of the database: in one that was restored it is as old as the copy and names another life, and what the copy calls not sent may
 * have been paid. Fifteen seconds: three signs of life.
 */
export const MEMORY_IS_FRESH = `(select s.mode = 'normal' and coalesce(s.alive_at > protocol_now() - interval '15 seconds' and s.alive_in = server_life(), false)
      from protocol_settings s)`;

/**
 * Custody's events about withdrawal `w` that are not applied yet. They are found by their reference, of which each has a few: asked in so
 * many words which ones wait, the planner reads everything that waits, once a row.
 */
export const WAITING_EVENTS = `from inbox_events e where e.reference = w.idempotency_key and coalesce(e.applied_at, 'infinity') = 'infinity'`;

/** Nothing that we hold says that a transfer of withdrawal `w` exists. */
export const NO_TRANSFER = `w.transfer_id is null
    and not exists (select 1 from withdrawal_transactions t where t.withdrawal_id = w.id)
    and not exists (select 1 ${WAITING_EVENTS})`;

/** The sends of withdrawal `w` that count toward the bound, as `countsAsTry` says. */
export const TRIES = `(select count(*) from withdrawal_attempts a where a.withdrawal_id = w.id and a.kind = 'send'
      and coalesce(a.outcome, 'in_doubt') not in ('not_sent', 'later') and a.proved_absent_at is null
      -- Put off by custody, or lost with a memory: they may have been sent, but nobody is parked for them.
      and not (coalesce(a.outcome, '') = 'in_doubt' and coalesce(a.detail ->> 'reason', '') in ('put_off', 'memory_lost')))`;
