import { headers } from 'next/headers';
import { redirect } from 'next/navigation';
import { cache } from 'react';
import { readSession } from '#server/auth/session.ts';

/** The signed-in person of this page request, read once a request; null when nobody is signed in. */
export const readPageSession = cache(async () => readSession(await headers()));

/** The signed-in person; whoever is not signed in is sent to the sign-in page and comes back to `returnTo`. */
export async function requirePageSession(returnTo: string) {
  const session = await readPageSession();
  if (session === null) redirect(`/sign-in?next=${encodeURIComponent(returnTo)}`);
  return session;
}
