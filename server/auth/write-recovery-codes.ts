import { hashRecoveryCode, newRecoveryCodes } from '#server/auth/recovery-code.ts';
import type { Db, Statement } from '#server/db/database.ts';

/** Gives a person ten fresh recovery codes in place of whatever codes they had. They are shown this once: we keep hashes. */
export async function writeRecoveryCodes(deps: { db: Db }, input: { userId: string }): Promise<string[]> {
  const codes = newRecoveryCodes();
  await deps.db.query(forgetCodesSql, [input.userId]);
  await deps.db.query(keepCodesSql, [input.userId, codes.map((one) => hashRecoveryCode(input.userId, one))]);
  return codes;
}

const forgetCodesSql: Statement = {
  name: 'forget_recovery_codes',
  text: 'delete from recovery_codes where user_id = $1',
};

const keepCodesSql: Statement = {
  name: 'keep_recovery_codes',
  text: 'insert into recovery_codes (user_id, code_sha256) select $1, unnest($2::text[])',
};
