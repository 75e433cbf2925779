import type { Database, Statement } from '#server/db/database.ts';

/**
 * Takes every second factor of a person away once the wait that they asked for is over. The database freezes withdrawals for a
 * while by itself. @returns whether there was such a reset
 */
export async function finishFactorReset(deps: { db: Database }, input: { userId: string }): Promise<boolean> {
  return deps.db.transaction(async (tx) => {
    const [due] = await tx.query(endResetSql, [input.userId]);
    if (due === undefined) return false;
    for (const statement of REMOVALS) await tx.query(statement, [input.userId]);
    return true;
  });
}

const endResetSql: Statement = {
  name: 'end_due_factor_reset',
  text: `
    update second_factor_resets set ended_at = protocol_now(), ended_by = 'done'
    where user_id = $1 and ended_at is null and due_at <= protocol_now() returning 1`,
};

const REMOVALS: readonly Statement[] = [
  { name: 'reset_totp', text: 'delete from totp_factors where user_id = $1' },
  { name: 'reset_passkeys', text: 'delete from passkeys where user_id = $1' },
  { name: 'reset_recovery_codes', text: 'delete from recovery_codes where user_id = $1' },
];
