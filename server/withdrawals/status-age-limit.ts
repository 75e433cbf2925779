import type { WithdrawalStatus } from '#domain/withdrawal.ts';

const MINUTE = 60;
const HOUR = 60 * MINUTE;

/** How long a withdrawal may stay in a status before somebody is told, in seconds; null where nothing more is to come. */
const AGE_LIMIT_SECONDS: Readonly<Record<WithdrawalStatus, number | null>> = {
  // A working day for people.
  awaiting_approval: 8 * HOUR,
  // Ten times what a busy queue needs.
  queued: MINUTE,
  // Our time-out to custody, and then some.
  dispatching: MINUTE,
  // The not-after of one claim, and a look-up behind it.
  in_doubt: 15 * MINUTE,
  // Custody signs within seconds; this is its bad day.
  submitted: 10 * MINUTE,
  // A dozen blocks of a slow network.
  broadcast: 30 * MINUTE,
  completed: null,
  failed: null,
  cancelled: null,
  rejected: null,
  refused: null,
};

/** Parked rows wait for the operator on duty, who has an hour. */
const PARKED_LIMIT_SECONDS = HOUR;

/** The limit that applies to a row, in seconds; null for none. */
export function ageLimitSeconds(input: { status: WithdrawalStatus; parked: boolean }): number | null {
  const limit = AGE_LIMIT_SECONDS[input.status];
  return limit !== null && input.parked ? PARKED_LIMIT_SECONDS : limit;
}
