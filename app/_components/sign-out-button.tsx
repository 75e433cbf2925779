'use client';

import { LogOut } from 'lucide-react';
import { useRef } from 'react';
import { usePerson } from '../_session/person-context.tsx';
import { useWords } from '../_words/use-words.ts';
import { forgetPerson } from '../(customer)/withdraw/_components/browser-store.ts';

/** Ends the session and clears what the browser holds of the person, but for the bare key of an unanswered request. */
export function SignOutButton() {
  const { site } = useWords();
  const { userId } = usePerson();
  const leaving = useRef(false);
  const signOut = async () => {
    if (leaving.current) return;
    leaving.current = true;
    try {
      const headers = { 'content-type': 'application/json' };
      await fetch('/api/auth/sign-out', { method: 'POST', headers, body: '{}', signal: AbortSignal.timeout(8_000) });
    } finally {
      // After the session: other tabs reload on this, and must find it ended.
      forgetPerson(userId);
      // A full load, so that nothing of this person stays in the page's memory.
      window.location.assign('/sign-in');
    }
  };
  return (
    <button
      type="button"
      onClick={signOut}
      className="inline-flex min-h-9 items-center gap-2 rounded-lg px-2.5 text-muted text-sm hover:bg-raised hover:text-ink"
    >
      <LogOut aria-hidden="true" className="size-4" />
      <span className="sr-only sm:not-sr-only">{site.signOut}</span>
    </button>
  );
}
