import { findTotp } from '#server/auth/find-factors.ts';
import { openSecret } from '#server/auth/secret-box.ts';
import { readTotpCode } from '#server/auth/totp-code.ts';
import type { Db } from '#server/db/database.ts';

/** The time step whose code this is, by this person's confirmed authenticator; null for a wrong code, or one taken before. */
export async function findTotpStep(
  deps: { db: Db; site: { readonly authSecret: string } },
  input: { userId: string; code: string },
): Promise<number | null> {
  const factor = await findTotp(deps, input);
  if (factor === null || !factor.isConfirmed) return null;
  const secret = openSecret(factor.secretSealed, deps.site.authSecret);
  return readTotpCode({ secret, code: input.code, nowSeconds: factor.nowSeconds, lastStep: factor.lastStep });
}
