import type { Db, Statement } from '#server/db/database.ts';

export interface Passkey {
  readonly passkeyId: string;
  readonly credentialId: string;
  readonly publicKey: Buffer;
  readonly counter: number;
  readonly transports: readonly string[];
  readonly label: string;
  readonly addedAt: Date;
  readonly lastUsedAt: Date | null;
}

export interface TotpFactor {
  readonly secretSealed: Buffer;
  readonly isConfirmed: boolean;
  readonly lastStep: number;
  /** The database's wall clock in seconds: codes are compared with it. */
  readonly nowSeconds: number;
}

/** The authenticator of a person, set up or being set up; null where there is none. */
export async function findTotp(deps: { db: Db }, input: { userId: string }): Promise<TotpFactor | null> {
  const [row] = await deps.db.query<TotpRow>(findTotpSql, [input.userId]);
  if (row === undefined) return null;
  return {
    secretSealed: row.secret_sealed,
    isConfirmed: row.confirmed,
    lastStep: Number(row.last_step),
    nowSeconds: row.now_seconds,
  };
}

/** The passkeys of a person, oldest first. */
export async function findPasskeys(deps: { db: Db }, input: { userId: string }): Promise<readonly Passkey[]> {
  const rows = await deps.db.query<PasskeyRow>(findPasskeysSql, [input.userId]);
  return rows.map((row) => ({
    passkeyId: row.id,
    credentialId: row.credential_id,
    publicKey: row.public_key,
    counter: Number(row.counter),
    transports: row.transports,
    label: row.label,
    addedAt: row.added_at,
    lastUsedAt: row.last_used_at,
  }));
}

interface TotpRow {
  readonly secret_sealed: Buffer;
  readonly confirmed: boolean;
  readonly last_step: string;
  readonly now_seconds: number;
}

interface PasskeyRow {
  readonly id: string;
  readonly credential_id: string;
  readonly public_key: Buffer;
  readonly counter: string;
  readonly transports: string[];
  readonly label: string;
  readonly added_at: Date;
  readonly last_used_at: Date | null;
}

const findTotpSql: Statement = {
  name: 'find_totp',
  text: `
    select secret_sealed, confirmed_at is not null as confirmed, last_step, extract(epoch from now())::float8 as now_seconds
    from totp_factors where user_id = $1`,
};

const findPasskeysSql: Statement = {
  name: 'find_passkeys',
  text: `
    select id, credential_id, public_key, counter, transports, label, added_at, last_used_at
    from passkeys where user_id = $1 order by added_at, id`,
};
