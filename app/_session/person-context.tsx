'use client';

import { createContext, type ReactNode, useContext, useEffect } from 'react';
import { watchPerson, writePerson } from '../(customer)/withdraw/_components/browser-store.ts';

export type Person = { userId: string; name: string; email: string; role: string };

const PersonContext = createContext<Person | null>(null);

/** Makes the signed-in person known to the page and reloads it when another tab signs somebody else in or out. */
export function PersonProvider({ person, children }: { person: Person; children: ReactNode }) {
  useEffect(() => {
    writePerson(person.userId);
    // The reload asks the server who is signed in; what this page shows may belong to somebody who left.
    return watchPerson(person.userId, () => window.location.reload());
  }, [person.userId]);
  return <PersonContext value={person}>{children}</PersonContext>;
}

/** The signed-in person. Throws outside `PersonProvider`: no page of ours works without one. */
export function usePerson(): Person {
  const person = useContext(PersonContext);
  if (person === null) throw new Error('usePerson needs a PersonProvider above it');
  return person;
}
