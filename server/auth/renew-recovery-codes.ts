import { type Refusal, refuse } from '#domain/refusal.ts';
import type { SecondFactorAnswer } from '#domain/second-factor.ts';
import type { Site } from '#server/auth/check-step-up.ts';
import { findFactorChallenge } from '#server/auth/find-factor-challenge.ts';
import { passSecondFactor } from '#server/auth/pass-second-factor.ts';
import { writeRecoveryCodes } from '#server/auth/write-recovery-codes.ts';
import type { Database, Statement } from '#server/db/database.ts';

/** Gives fresh recovery codes to whoever confirms it with a second factor; the old ones are void, and their owner is told. */
export async function renewRecoveryCodes(
  deps: { db: Database; site: Site },
  input: { userId: string; challengeId: string; answer: SecondFactorAnswer },
): Promise<{ kind: 'renewed'; recoveryCodes: string[] } | { kind: 'refused'; refusal: Refusal }> {
  const { userId, challengeId, answer } = input;
  const purpose = 'security';
  const asked = await findFactorChallenge(deps, { challengeId, purpose });
  if (asked?.userId !== userId) return { kind: 'refused', refusal: refuse('second_factor_expired') };
  const passed = await passSecondFactor(deps, { challengeId, answer, purpose });
  if (passed.kind === 'refused') return passed;
  const recoveryCodes = await deps.db.transaction(async (tx) => {
    await tx.query(tellSql, [userId]);
    return await writeRecoveryCodes({ db: tx }, { userId });
  });
  return { kind: 'renewed', recoveryCodes };
}

const tellSql: Statement = {
  name: 'tell_of_renewed_codes',
  text: `
    insert into notifications (subject_id, kind, user_id, data)
    values (gen_random_uuid(), 'security_change', $1, jsonb_build_object('what', 'recovery codes renewed'))`,
};
