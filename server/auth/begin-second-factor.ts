import { randomBytes, randomUUID } from 'node:crypto';
import type { SecondFactorMethod, SecondFactorQuestion } from '#domain/second-factor.ts';
import type { Site } from '#server/auth/check-step-up.ts';
import type { SecondFactorPurpose } from '#server/auth/find-factor-challenge.ts';
import { findPasskeys } from '#server/auth/find-factors.ts';
import { finishFactorReset } from '#server/auth/finish-factor-reset.ts';
import { passkeyQuestion } from '#server/auth/passkey-question.ts';
import { findLock } from '#server/auth/step-up-attempts.ts';
import type { Database, Statement } from '#server/db/database.ts';

/**
 * Asks somebody for a second factor; null for a person who has none. The question is good for ten minutes and one purpose. A
 * reset whose wait is over is carried out here, at the first sign-in after it.
 */
export async function beginSecondFactor(
  deps: { db: Database; site: Site },
  input: { userId: string; purpose: SecondFactorPurpose },
): Promise<SecondFactorQuestion | null> {
  if (input.purpose === 'sign_in' && (await finishFactorReset(deps, input))) return null;
  const [[row], passkeys] = await Promise.all([
    deps.db.query<FactorsRow>(findFactorsSql, [input.userId]),
    findPasskeys(deps, input),
  ]);
  const methods: SecondFactorMethod[] = [];
  if (row?.totp === true) methods.push('totp');
  if (passkeys.length > 0) methods.push('passkey');
  if (methods.length === 0) return null;
  if (row !== undefined && row.recovery_codes > 0) methods.push('recovery_code');
  const challengeId = randomUUID();
  const challenge = randomBytes(32).toString('base64url');
  await deps.db.query(keepChallengeSql, [challengeId, input.userId, input.purpose, challenge]);
  return {
    challengeId,
    methods,
    passkey: passkeys.length === 0 ? null : passkeyQuestion({ site: deps.site, passkeys, challenge }),
    lockedUntil: (await findLock(deps, input))?.toISOString() ?? null,
    resetDueAt: row?.reset_due_at?.toISOString() ?? null,
  };
}

interface FactorsRow {
  readonly totp: boolean;
  readonly recovery_codes: number;
  readonly reset_due_at: Date | null;
}

const findFactorsSql: Statement = {
  name: 'find_factors_to_ask',
  text: `
    select exists (select 1 from totp_factors f where f.user_id = $1 and f.confirmed_at is not null) as totp,
      (select count(*)::int from recovery_codes c where c.user_id = $1 and c.used_at is null) as recovery_codes,
      (select r.due_at from second_factor_resets r where r.user_id = $1 and r.ended_at is null) as reset_due_at`,
};

const keepChallengeSql: Statement = {
  name: 'keep_factor_challenge',
  text: `
    insert into step_up_challenges (id, user_id, purpose, challenge, expires_at)
    values ($1, $2, $3, $4, protocol_now() + interval '10 minutes')`,
};
