import { type Role, toRole } from '#server/auth/roles.ts';
import { readSessionToken, sessionCookieName } from '#server/auth/session-cookie.ts';
import type { Db } from '#server/db/database.ts';
import { processDatabase } from '#server/db/process-database.ts';
import { readEnv } from '#server/env.ts';
import { findSessionSql } from '#server/sql/find-session.sql.ts';

/** Who asks. */
export interface Session {
  readonly userId: string;
  readonly name: string;
  readonly email: string;
  readonly role: Role;
  /** The customer's withdrawals are stopped. */
  readonly frozen: boolean;
  /** ISO time at which the person has to sign in again. */
  readonly expiresAt: string;
}

/**
 * Who is signed in by these headers, or null. A database that cannot be asked throws: not knowing who somebody is must
 * never read as signed out, or a page would throw away what it still has to settle.
 *
 * @throws DatabaseError when the look-up fails
 */
export function readSession(headers: Headers): Promise<Session | null> {
  const { publicUrl, authSecret } = readEnv();
  return findSession({ db: processDatabase() }, { cookieHeader: headers.get('cookie'), publicUrl, authSecret });
}

/** As `readSession`, with its tools given. */
export async function findSession(
  deps: { db: Db },
  input: { cookieHeader: string | null; publicUrl: string; authSecret: string | null },
): Promise<Session | null> {
  if (input.authSecret === null) throw new Error('AUTH_SECRET is missing');
  const token = readSessionToken(input.cookieHeader, sessionCookieName(input.publicUrl), input.authSecret);
  if (token === null) return null;
  const [row] = await deps.db.query<SessionRow>(findSessionSql, [token]);
  return toSession(row);
}

/** The session of a token whose signature was checked, if it still is one. @throws DatabaseError */
export type FindSessions = (token: string) => Promise<SessionRow | undefined>;

/** Null for none, and for a person without a role of ours. */
export function toSession(row: SessionRow | undefined): Session | null {
  const role = row === undefined ? null : toRole(row.role);
  if (row === undefined || role === null) return null;
  return {
    userId: row.id,
    name: row.name,
    email: row.email,
    role,
    frozen: row.frozen,
    expiresAt: row.expires_at.toISOString(),
  };
}

export interface SessionRow {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly role: string;
  readonly frozen: boolean;
  readonly expires_at: Date;
}
