'use client';

import type { ReactNode } from 'react';
import { SiteHeader } from '../../../_components/site-header.tsx';
import { type Person, PersonProvider } from '../../../_session/person-context.tsx';
import { ApiProvider } from '../../../_trpc/trpc-provider.tsx';
import { useOperatorWords } from '../../../_words/use-operator-words.ts';
import { OperatorNavigation } from './operator-navigation.tsx';

export function OperatorFrame({
  person,
  demoMode,
  children,
}: {
  person: Person;
  demoMode: boolean;
  children: ReactNode;
}) {
  const operator = useOperatorWords();
  return (
    <PersonProvider key={person.userId} person={person}>
      <ApiProvider>
        <SiteHeader items={[]} area={operator.area} />
        <div className="mx-auto max-w-[90rem] gap-8 px-4 sm:px-6 lg:grid lg:grid-cols-[11rem_minmax(0,1fr)]">
          <OperatorNavigation demoMode={demoMode} />
          <main id="main" tabIndex={-1} className="min-w-0 space-y-6 py-6 sm:py-8">
            {children}
          </main>
        </div>
      </ApiProvider>
    </PersonProvider>
  );
}
