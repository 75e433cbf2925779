import { headers } from 'next/headers';
import { redirect } from 'next/navigation';
import { cache } from 'react';
import { REQUESTED_SEARCH_HEADER } from '#server/api/requested-search.ts';
import { readSession } from '#server/auth/session.ts';
import { signInPath } from './sign-in-path.ts';

/** The signed-in person of this page request, read once a request; null when nobody is signed in. */
export const readPageSession = cache(async () => readSession(await headers()));

/** The signed-in person; whoever is not signed in is sent to the sign-in page and comes back to `returnTo`, with the filters asked for. */
export async function requirePageSession(returnTo: string) {
  const session = await readPageSession();
  if (session !== null) return session;
  const search = (await headers()).get(REQUESTED_SEARCH_HEADER) ?? '';
  return redirect(signInPath(`${returnTo}${search}`));
}
