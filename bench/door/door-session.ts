import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { sessionCookieName } from '#server/auth/session-cookie.ts';
import type { BenchHouse } from '../harness/bench-house.ts';

/** Known to the processes of a bench and to nobody else. */
export const DOOR_SECRET = 'a secret of the bench, which guards nothing';
export const DOOR_ORIGIN = 'http://localhost:3000';

/** Signs customers in, and returns the cookie of each as the accounts library would have signed it. */
export async function openSessions(house: BenchHouse, customers: readonly string[]): Promise<string[]> {
  const tokens = customers.map(() => randomBytes(24).toString('base64url'));
  await house.run(
    `insert into sessions (id, token, user_id, expires_at) select i, t, u, now() + interval '1 day'
     from unnest($1::uuid[], $2::text[], $3::uuid[]) as s(i, t, u)`,
    [customers.map(() => randomUUID()), tokens, customers],
  );
  return tokens.map((token) => {
    const signature = createHmac('sha256', DOOR_SECRET).update(token).digest('base64');
    return `${sessionCookieName(DOOR_ORIGIN)}=${encodeURIComponent(`${token}.${signature}`)}`;
  });
}
