import { type Refusal, refuse } from '#domain/refusal.ts';
import type { SecondFactorAnswer } from '#domain/second-factor.ts';
import { checkPasskeyAnswer } from '#server/auth/check-passkey-answer.ts';
import type { Site } from '#server/auth/check-step-up.ts';
import { findFactorChallenge, type SecondFactorPurpose } from '#server/auth/find-factor-challenge.ts';
import { findTotpStep } from '#server/auth/find-totp-step.ts';
import { hashRecoveryCode } from '#server/auth/recovery-code.ts';
import { findLock, forgetFailures, refuseLocked, refuseWrong } from '#server/auth/step-up-attempts.ts';
import { stopFactorReset } from '#server/auth/stop-factor-reset.ts';
import type { Database, Db, Statement } from '#server/db/database.ts';

/**
 * Takes a second factor. A code, a recovery code and a question are each taken once. Whoever has a second factor needs no reset
 * of it: one that waits is stopped.
 */
export async function passSecondFactor(
  deps: { db: Database; site: Site },
  input: { challengeId: string; answer: SecondFactorAnswer; purpose: SecondFactorPurpose },
): Promise<{ kind: 'passed'; userId: string } | { kind: 'refused'; refusal: Refusal }> {
  const asked = await findFactorChallenge(deps, input);
  if (asked === null) return { kind: 'refused', refusal: refuse('second_factor_expired') };
  const { userId } = asked;
  const lockedUntil = await findLock(deps, { userId });
  if (lockedUntil !== null) return { kind: 'refused', refusal: refuseLocked(lockedUntil) };
  const spend = await readAnswer(deps, { ...asked, answer: input.answer });
  const isPassed =
    spend !== null &&
    (await deps.db.transaction(async (tx) => {
      if (!(await spend(tx))) return false;
      const [opened] = await tx.query(spendChallengeSql, [input.challengeId, userId]);
      if (opened === undefined) return false;
      await stopFactorReset({ db: tx }, { userId });
      return true;
    }));
  if (!isPassed) return { kind: 'refused', refusal: await refuseWrong(deps, { userId }) };
  await forgetFailures(deps, { userId });
  return { kind: 'passed', userId };
}

/** How to spend what was answered, in one transaction with its question; null for what is wrong. */
async function readAnswer(
  deps: { db: Database; site: Site },
  input: { userId: string; challenge: string; answer: SecondFactorAnswer },
): Promise<((tx: Db) => Promise<boolean>) | null> {
  const { userId, challenge, answer } = input;
  if (answer.kind === 'recovery_code') {
    const hash = hashRecoveryCode(userId, answer.code);
    return async (tx) => (await tx.query(spendRecoveryCodeSql, [userId, hash])).length > 0;
  }
  if (answer.kind === 'passkey') {
    const isSigned = await checkPasskeyAnswer(deps, { userId, answer: answer.answer, challenge });
    return isSigned ? () => Promise.resolve(true) : null;
  }
  const step = await findTotpStep(deps, { userId, code: answer.code });
  return step === null ? null : async (tx) => (await tx.query(spendStepSql, [userId, step])).length > 0;
}

const spendStepSql: Statement = {
  name: 'spend_totp_step',
  text: 'update totp_factors set last_step = $2 where user_id = $1 and last_step < $2 returning 1',
};

/** Its owner is told: whoever finds the list and the password must not stay unseen. */
const spendRecoveryCodeSql: Statement = {
  name: 'spend_recovery_code_and_tell',
  text: `
    with spent as (
      update recovery_codes set used_at = protocol_now()
      where user_id = $1 and code_sha256 = $2 and used_at is null returning user_id
    )
    insert into notifications (subject_id, kind, user_id, data)
    select gen_random_uuid(), 'security_change', user_id, jsonb_build_object('what', 'recovery code used') from spent returning 1`,
};

const spendChallengeSql: Statement = {
  name: 'spend_factor_challenge',
  text: `
    update step_up_challenges set spent_at = protocol_now()
    where id = $1 and user_id = $2 and spent_at is null returning 1`,
};
