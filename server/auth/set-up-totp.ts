import { type Refusal, refuse } from '#domain/refusal.ts';
import { checkPassword } from '#server/auth/check-password.ts';
import type { Site } from '#server/auth/check-step-up.ts';
import { sealSecret } from '#server/auth/secret-box.ts';
import { newTotpSecret, totpUri } from '#server/auth/totp-code.ts';
import type { Db, Statement } from '#server/db/database.ts';

/** Begins to set an authenticator up: a secret that confirms nothing until one of its codes was typed back. */
export async function setUpTotp(
  deps: { db: Db; site: Site },
  input: { userId: string; email: string; password: string },
): Promise<{ kind: 'begun'; secret: string; uri: string } | { kind: 'refused'; refusal: Refusal }> {
  const refusal = await checkPassword(deps, input);
  if (refusal !== null) return { kind: 'refused', refusal };
  const secret = newTotpSecret();
  const [row] = await deps.db.query(setUpSql, [input.userId, sealSecret(secret, deps.site.authSecret)]);
  if (row === undefined) return { kind: 'refused', refusal: refuse('already_done') };
  return { kind: 'begun', secret, uri: totpUri({ secret, email: input.email }) };
}

/** An authenticator that is in use is not replaced: it is removed first, with one of its codes. */
const setUpSql: Statement = {
  name: 'set_up_totp',
  text: `
    insert into totp_factors as f (user_id, secret_sealed) values ($1, $2)
    on conflict (user_id) do update set secret_sealed = excluded.secret_sealed, last_step = 0 where f.confirmed_at is null
    returning 1`,
};
