'use client';

import { createContext, type ReactNode, useCallback, useContext, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { SignOutTrouble } from '../_components/sign-out-trouble.tsx';
import {
  forgetPerson,
  readPerson,
  watchPerson,
  writePerson,
} from '../(customer)/withdraw/_components/browser-store.ts';
import { askAuth } from './ask-auth.ts';

export type Person = { userId: string; name: string; email: string; role: string };

type Leave = { kind: 'here' } | { kind: 'left' } | { kind: 'failed'; reference: string | null };

const PersonContext = createContext<{ person: Person; signOut: () => Promise<void> } | null>(null);

/**
 * Makes the signed-in person known to the page and reloads it when another tab signs somebody else in or out. Once the person
 * left, nothing of theirs is on the page any more: neither while the next page loads, nor when Back brings this one again, nor
 * where the server did not hear of it.
 */
export function PersonProvider({ person, children }: { person: Person; children: ReactNode }) {
  const { userId } = person;
  const [leave, setLeave] = useState<Leave>({ kind: 'here' });
  const asking = useRef(false);
  useEffect(() => {
    writePerson(userId);
    // The reload asks the server who is signed in; what this page shows may belong to somebody who left.
    const again = () => window.location.reload();
    const stopWatching = watchPerson(userId, again);
    const onShow = (event: PageTransitionEvent) => {
      // Kept whole by the browser while other pages were open: it heard nothing of a sign-out.
      if (!event.persisted || readPerson() === userId) return;
      flushSync(() => setLeave({ kind: 'left' }));
      again();
    };
    window.addEventListener('pageshow', onShow);
    return () => {
      stopWatching();
      window.removeEventListener('pageshow', onShow);
    };
  }, [userId]);
  const signOut = useCallback(async () => {
    if (asking.current) return;
    asking.current = true;
    const answer = await askAuth('sign-out', {});
    asking.current = false;
    const left: Leave = answer.kind === 'done' ? { kind: 'left' } : { kind: 'failed', reference: answer.reference };
    // Taken off the page first: what the browser keeps of it for Back is what it showed last.
    flushSync(() => setLeave(left));
    // After the session: other tabs reload on this, and must find it ended.
    forgetPerson(userId);
    // A full load, so that nothing of this person stays in the page's memory.
    if (left.kind === 'left') window.location.assign('/sign-in');
  }, [userId]);
  if (leave.kind === 'left') return null;
  if (leave.kind === 'failed') return <SignOutTrouble reference={leave.reference} again={signOut} />;
  return <PersonContext value={{ person, signOut }}>{children}</PersonContext>;
}

/** The signed-in person. Throws outside `PersonProvider`: no page of ours works without one. */
export function usePerson(): Person {
  return useHere().person;
}

/** Ends the session and clears what the browser holds of the person, but for the bare key of an unanswered request. */
export function useSignOut(): () => Promise<void> {
  return useHere().signOut;
}

function useHere() {
  const here = useContext(PersonContext);
  if (here === null) throw new Error('usePerson needs a PersonProvider above it');
  return here;
}
