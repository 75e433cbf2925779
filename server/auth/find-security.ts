import { findPasskeys } from '#server/auth/find-factors.ts';
import type { Db, Statement } from '#server/db/database.ts';

export interface SecurityView {
  emailVerified: boolean;
  totp: boolean;
  passkeys: { passkeyId: string; label: string; addedAt: string; lastUsedAt: string | null }[];
  recoveryCodesLeft: number;
  /** Withdrawals rest until then; null where they do not. */
  frozenUntil: string | null;
  /** When a reset of every second factor takes effect, should nobody stop it; null where none waits. */
  resetDueAt: string | null;
  sessions: { sessionId: string; browser: string | null; address: string | null; startedAt: string; isThis: boolean }[];
}

/** Everything that guards one person's account. */
export async function findSecurity(
  deps: { db: Db },
  input: { userId: string; sessionToken: string | null },
): Promise<SecurityView> {
  const [[person], passkeys, sessions] = await Promise.all([
    deps.db.query<PersonRow>(findPersonSql, [input.userId]),
    findPasskeys(deps, input),
    deps.db.query<SessionRow>(findSessionsSql, [input.userId, input.sessionToken]),
  ]);
  return {
    emailVerified: person?.email_verified ?? false,
    totp: person?.totp ?? false,
    passkeys: passkeys.map(({ passkeyId, label, addedAt, lastUsedAt }) => ({
      passkeyId,
      label,
      addedAt: addedAt.toISOString(),
      lastUsedAt: lastUsedAt?.toISOString() ?? null,
    })),
    recoveryCodesLeft: person?.recovery_codes ?? 0,
    frozenUntil: person?.frozen_until?.toISOString() ?? null,
    resetDueAt: person?.reset_due_at?.toISOString() ?? null,
    sessions: sessions.map((row) => ({
      sessionId: row.id,
      browser: row.user_agent,
      address: row.ip_address,
      startedAt: row.created_at.toISOString(),
      isThis: row.is_this,
    })),
  };
}

interface PersonRow {
  readonly email_verified: boolean;
  readonly totp: boolean;
  readonly recovery_codes: number;
  readonly frozen_until: Date | null;
  readonly reset_due_at: Date | null;
}

interface SessionRow {
  readonly id: string;
  readonly user_agent: string | null;
  readonly ip_address: string | null;
  readonly created_at: Date;
  readonly is_this: boolean;
}

const findPersonSql: Statement = {
  name: 'find_security',
  text: `
    select u.email_verified, exists (select 1 from totp_factors f where f.user_id = u.id and f.confirmed_at is not null) as totp,
      (select count(*)::int from recovery_codes r where r.user_id = u.id and r.used_at is null) as recovery_codes,
      case when c.frozen_until > protocol_now() then c.frozen_until end as frozen_until,
      (select d.due_at from second_factor_resets d where d.user_id = u.id and d.ended_at is null) as reset_due_at
    from users u left join customers c on c.id = u.id where u.id = $1`,
};

const findSessionsSql: Statement = {
  name: 'find_sessions',
  text: `
    select id, user_agent, ip_address, created_at, coalesce(token = $2, false) as is_this
    from sessions where user_id = $1 and expires_at > now() order by is_this desc, created_at desc limit 50`,
};
