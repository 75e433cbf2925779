'use client';

import type { ReactNode } from 'react';
import { SiteHeader } from '../../../_components/site-header.tsx';
import { type Person, PersonProvider } from '../../../_session/person-context.tsx';
import { ApiProvider } from '../../../_trpc/trpc-provider.tsx';
import { useOperatorWords } from '../../../_words/use-operator-words.ts';

export function OperatorFrame({ person, children }: { person: Person; children: ReactNode }) {
  const operator = useOperatorWords();
  const items = [
    { href: '/operator', label: operator.overview, exact: true },
    { href: '/operator/withdrawals', label: operator.withdrawals },
  ];
  return (
    <PersonProvider key={person.userId} person={person}>
      <ApiProvider>
        <SiteHeader items={items} area={operator.area} />
        <main id="main" tabIndex={-1} className="mx-auto max-w-6xl space-y-6 px-4 py-6 sm:px-6 sm:py-8">
          {children}
        </main>
      </ApiProvider>
    </PersonProvider>
  );
}
