import { type Refusal, refuse } from '#domain/refusal.ts';
import type { Db, Statement } from '#server/db/database.ts';

/** Five wrong codes in a row: more than a person mistypes; a guess is right once in 333,000 (three steps of a million). */
const FAILURES_MAX = 5;

/** Until when no code of this person is looked at, or null. */
export async function findLock(deps: { db: Db }, input: { userId: string }): Promise<Date | null> {
  const [row] = await deps.db.query<{ locked_until: Date }>(findLockSql, [input.userId]);
  return row?.locked_until ?? null;
}

/** Counts a wrong code. @returns the end of the lock that it brought, or null */
export async function countFailure(deps: { db: Db }, input: { userId: string }): Promise<Date | null> {
  const [row] = await deps.db.query<{ locked_until: Date | null }>(countFailureSql, [input.userId, FAILURES_MAX]);
  return row?.locked_until ?? null;
}

/** Counts a wrong code, and says what it is answered with. */
export async function refuseWrong(deps: { db: Db }, input: { userId: string }): Promise<Refusal> {
  const until = await countFailure(deps, input);
  return until === null ? refuse('step_up_wrong') : refuseLocked(until);
}

/** While nothing of this person is looked at. */
export function refuseLocked(until: Date): Refusal {
  return refuse('step_up_locked', { detail: until.toISOString() });
}

/** A right code: whoever was wrong before has found it. */
export async function forgetFailures(deps: { db: Db }, input: { userId: string }): Promise<void> {
  await deps.db.query(forgetFailuresSql, [input.userId]);
}

const findLockSql: Statement = {
  name: 'find_step_up_lock',
  text: 'select locked_until from step_up_attempts where user_id = $1 and locked_until > protocol_now()',
};

/** One statement, so that parallel guesses are counted one by one. A lock begins anew with a count of zero. */
const countFailureSql: Statement = {
  name: 'count_step_up_failure',
  text: `
    insert into step_up_attempts as a (user_id, failures) values ($1, 1)
    on conflict (user_id) do update set
      failures = case when a.failures + 1 >= $2 then 0 else a.failures + 1 end,
      locked_until = case when a.failures + 1 >= $2 then protocol_now() + interval '15 minutes' else a.locked_until end
    returning case when locked_until > protocol_now() then locked_until end as locked_until`,
};

const forgetFailuresSql: Statement = {
  name: 'forget_step_up_failures',
  text: 'update step_up_attempts set failures = 0 where user_id = $1 and failures > 0',
};
