import { type Refusal, refuse } from '#domain/refusal.ts';
import type { Site } from '#server/auth/check-step-up.ts';
import { findTotp } from '#server/auth/find-factors.ts';
import { openSecret } from '#server/auth/secret-box.ts';
import { countFailure, findLock } from '#server/auth/step-up-attempts.ts';
import { readTotpCode } from '#server/auth/totp-code.ts';
import { writeRecoveryCodes } from '#server/auth/write-recovery-codes.ts';
import type { Database, Statement } from '#server/db/database.ts';

/**
 * Takes the first code of an authenticator: from here on it confirms. The recovery codes are shown this once. The database
 * freezes withdrawals for a while by itself.
 */
export async function confirmTotp(
  deps: { db: Database; site: Site },
  input: { userId: string; code: string },
): Promise<{ kind: 'confirmed'; recoveryCodes: string[] } | { kind: 'refused'; refusal: Refusal }> {
  const { userId, code } = input;
  if ((await findLock(deps, { userId })) !== null) return refused('step_up_locked');
  const factor = await findTotp(deps, { userId });
  if (factor === null || factor.isConfirmed) return refused('already_done');
  const secret = openSecret(factor.secretSealed, deps.site.authSecret);
  const step = readTotpCode({ secret, code, nowSeconds: factor.nowSeconds, lastStep: factor.lastStep });
  if (step === null)
    return refused((await countFailure(deps, { userId })) === null ? 'step_up_wrong' : 'step_up_locked');
  const recoveryCodes = await deps.db.transaction(async (tx) => {
    const [row] = await tx.query(confirmSql, [userId, step, factor.secretSealed]);
    return row === undefined ? null : await writeRecoveryCodes({ db: tx }, { userId });
  });
  return recoveryCodes === null ? refused('already_done') : { kind: 'confirmed', recoveryCodes };
}

function refused(code: 'step_up_wrong' | 'step_up_locked' | 'already_done'): { kind: 'refused'; refusal: Refusal } {
  return { kind: 'refused', refusal: refuse(code, { fields: ['code'] }) };
}

const confirmSql: Statement = {
  name: 'confirm_totp',
  text: `
    update totp_factors set confirmed_at = protocol_now(), last_step = $2
    where user_id = $1 and confirmed_at is null and secret_sealed = $3 returning 1`,
};
