import type { Refusal } from '#domain/refusal.ts';
import { checkPasskeyAnswer } from '#server/auth/check-passkey-answer.ts';
import { findTotpStep } from '#server/auth/find-totp-step.ts';
import { findLock, forgetFailures, refuseLocked, refuseWrong } from '#server/auth/step-up-attempts.ts';
import { challengeOf } from '#server/auth/step-up-fingerprint.ts';
import type { StepUp } from '#server/auth/step-up-schema.ts';
import type { Db } from '#server/db/database.ts';

export interface Site {
  readonly publicUrl: string;
  readonly authSecret: string;
}

/** What was verified and is not spent yet: it is spent by whoever accepts what it confirms. */
export type Proof =
  | { readonly kind: 'totp'; readonly step: number }
  | { readonly kind: 'passkey'; readonly challengeId: string };

/**
 * Whether a code or a signature is this person's and fits this fingerprint. Nothing is spent here: two requests that bring
 * the same code both pass, and the accepting transaction takes it from one of them.
 */
export async function checkStepUp(
  deps: { db: Db; site: Site },
  input: { userId: string; stepUp: StepUp; fingerprint: string },
): Promise<{ kind: 'proved'; proof: Proof } | { kind: 'refused'; refusal: Refusal }> {
  const { userId, stepUp } = input;
  const lockedUntil = await findLock(deps, { userId });
  if (lockedUntil !== null) return { kind: 'refused', refusal: refuseLocked(lockedUntil) };
  const proof = stepUp.kind === 'totp' ? await readCode(deps, userId, stepUp.code) : await readSignature(deps, input);
  if (proof === null) return { kind: 'refused', refusal: await refuseWrong(deps, { userId }) };
  await forgetFailures(deps, { userId });
  return { kind: 'proved', proof };
}

async function readCode(deps: { db: Db; site: Site }, userId: string, code: string): Promise<Proof | null> {
  const step = await findTotpStep(deps, { userId, code });
  return step === null ? null : { kind: 'totp', step };
}

async function readSignature(
  deps: { db: Db; site: Site },
  input: { userId: string; stepUp: StepUp; fingerprint: string },
): Promise<Proof | null> {
  const { userId, stepUp } = input;
  if (stepUp.kind !== 'passkey') return null;
  const { challengeId } = stepUp;
  // Made from the values of this request: a signature under other values does not fit it.
  const challenge = challengeOf({ challengeId, fingerprint: input.fingerprint });
  const isSigned = await checkPasskeyAnswer(deps, { userId, answer: stepUp.answer, challenge });
  return isSigned ? { kind: 'passkey', challengeId } : null;
}
