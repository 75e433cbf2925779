import { type Refusal, refuse } from '#domain/refusal.ts';
import type { Site } from '#server/auth/check-step-up.ts';
import { findTotp } from '#server/auth/find-factors.ts';
import { hashRecoveryCode } from '#server/auth/recovery-code.ts';
import { openSecret } from '#server/auth/secret-box.ts';
import { countFailure, findLock, forgetFailures } from '#server/auth/step-up-attempts.ts';
import { readTotpCode } from '#server/auth/totp-code.ts';
import type { Database, Statement } from '#server/db/database.ts';

/**
 * Takes an authenticator away, for one of its codes or for a recovery code of whoever lost it. Withdrawals are frozen by
 * the database, so that a thief with a found list gains nothing before its owner has read the notice.
 */
export async function removeTotp(
  deps: { db: Database; site: Site },
  input: { userId: string; code: string },
): Promise<{ kind: 'removed' } | { kind: 'refused'; refusal: Refusal }> {
  const { userId, code } = input;
  if ((await findLock(deps, { userId })) !== null) return refused('step_up_locked');
  const factor = await findTotp(deps, { userId });
  if (factor === null) return refused('already_done');
  const secret = openSecret(factor.secretSealed, deps.site.authSecret);
  const { nowSeconds, lastStep } = factor;
  const step = factor.isConfirmed ? readTotpCode({ secret, code, nowSeconds, lastStep }) : null;
  const isRemoved = await deps.db.transaction(async (tx) => {
    if (step === null) {
      const [spent] = await tx.query(spendCodeSql, [userId, hashRecoveryCode(userId, code)]);
      if (spent === undefined) return false;
    }
    await tx.query(removeSql, [userId]);
    await tx.query(removeCodesSql, [userId]);
    return true;
  });
  if (!isRemoved) {
    return refused((await countFailure(deps, { userId })) === null ? 'step_up_wrong' : 'step_up_locked');
  }
  await forgetFailures(deps, { userId });
  return { kind: 'removed' };
}

function refused(code: 'step_up_wrong' | 'step_up_locked' | 'already_done'): { kind: 'refused'; refusal: Refusal } {
  return { kind: 'refused', refusal: refuse(code, { fields: ['code'] }) };
}

const spendCodeSql: Statement = {
  name: 'spend_recovery_code',
  text: `
    update recovery_codes set used_at = protocol_now()
    where user_id = $1 and code_sha256 = $2 and used_at is null returning 1`,
};

const removeSql: Statement = { name: 'remove_totp', text: 'delete from totp_factors where user_id = $1' };

const removeCodesSql: Statement = {
  name: 'remove_recovery_codes',
  text: 'delete from recovery_codes where user_id = $1',
};
