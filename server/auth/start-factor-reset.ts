import { randomUUID } from 'node:crypto';
import { hashResetToken, type TellOfReset } from '#server/auth/ask-factor-reset.ts';
import type { Database, Statement } from '#server/db/database.ts';

/**
 * Begins the wait of a reset, for whoever reads the person's mail. Its owner is told when it takes effect and how to stop it.
 *
 * @returns when it takes effect; null for a link that is older than an hour, was replaced or stopped
 */
export async function startFactorReset(
  deps: { db: Database; tell: TellOfReset },
  input: { token: string },
): Promise<string | null> {
  return deps.db.transaction(async (tx) => {
    const [row] = await tx.query<{ user_id: string; due_at: Date; begun: boolean }>(startSql, [
      hashResetToken(input.token),
    ]);
    if (row === undefined) return null;
    const dueAt = row.due_at.toISOString();
    const data = { dueAt };
    if (row.begun) {
      await deps.tell({ db: tx }, { kind: 'second_factor_reset', subjectId: randomUUID(), userId: row.user_id, data });
    }
    return dueAt;
  });
}

/** Pressed again, it says the same time: a wait that began is neither shortened nor begun anew. */
const startSql: Statement = {
  name: 'start_factor_reset',
  text: `
    with begun as (
      update second_factor_resets set started_at = protocol_now(),
        due_at = protocol_now() + (select s.second_factor_reset_wait from protocol_settings s)
      where token_sha256 = $1 and ended_at is null and started_at is null and asked_at > protocol_now() - interval '1 hour'
      returning user_id, due_at
    )
    select user_id, due_at, true as begun from begun
    union all
    select user_id, due_at, false from second_factor_resets
    where token_sha256 = $1 and ended_at is null and started_at is not null and not exists (select 1 from begun)`,
};
