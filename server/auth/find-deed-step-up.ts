import { DEMO_PEOPLE, demoEmail } from '#server/auth/demo-people.ts';
import { findPasskeys, findTotp } from '#server/auth/find-factors.ts';
import { findLock } from '#server/auth/step-up-attempts.ts';
import { nextTotpCode } from '#server/auth/totp-code.ts';
import type { Db } from '#server/db/database.ts';

export interface DeedStepUp {
  /** What this person can confirm a deed with; empty: a second factor has to be set up first. */
  methods: ('totp' | 'passkey')[];
  lockedUntil: string | null;
  /** In the demo the authenticator of a demo person is on the screen: its next code, or the seconds until there is one. */
  demo: { code: string | null; waitSeconds: number } | null;
}

/** What a person on duty can confirm with. Told before the press; the deed itself decides. */
export async function findDeedStepUp(
  deps: { db: Db },
  input: { userId: string; email: string; demoMode: boolean },
): Promise<DeedStepUp> {
  const [totp, passkeys, lockedUntil] = await Promise.all([
    findTotp(deps, input),
    findPasskeys(deps, input),
    findLock(deps, input),
  ]);
  const methods: DeedStepUp['methods'] = [];
  if (totp?.isConfirmed === true) methods.push('totp');
  if (passkeys.length > 0) methods.push('passkey');
  const secret = DEMO_PEOPLE.find((person) => demoEmail(person.who) === input.email)?.totpSecret ?? null;
  return {
    methods,
    lockedUntil: lockedUntil?.toISOString() ?? null,
    demo: input.demoMode && secret !== null && totp?.isConfirmed === true ? nextTotpCode({ secret, ...totp }) : null,
  };
}
