'use client';

import { LogOut } from 'lucide-react';
import { useState } from 'react';
import { useSignOut } from '../_session/person-context.tsx';
import { useWords } from '../_words/use-words.ts';

/** Ends the session; what follows, or that it failed, is shown in place of the page. */
export function SignOutButton() {
  const { site } = useWords();
  const signOut = useSignOut();
  const [busy, setBusy] = useState(false);
  const press = () => {
    setBusy(true);
    return signOut();
  };
  return (
    <button
      type="button"
      onClick={press}
      aria-busy={busy || undefined}
      className="inline-flex min-h-9 items-center gap-2 rounded-lg px-2.5 text-muted text-sm hover:bg-raised hover:text-ink"
    >
      <LogOut aria-hidden="true" className="size-4" />
      <span className="sr-only sm:not-sr-only">{site.signOut}</span>
    </button>
  );
}
