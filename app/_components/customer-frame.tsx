'use client';

import type { ReactNode } from 'react';
import { type Person, PersonProvider } from '../_session/person-context.tsx';
import { ApiProvider } from '../_trpc/trpc-provider.tsx';
import { useWords } from '../_words/use-words.ts';
import { PendingBanner } from '../(customer)/withdraw/_components/pending-banner.tsx';
import { SessionEnd } from './session-end.tsx';
import { SiteHeader } from './site-header.tsx';

/** What stands around every page of a customer. Keyed by the person: nothing of one is shown to the next. */
export function CustomerFrame(props: {
  person: Person;
  sessionEndsAt: string;
  hasMailbox: boolean;
  children: ReactNode;
}) {
  const { person, sessionEndsAt, hasMailbox, children } = props;
  const { site } = useWords();
  const items = [
    { href: '/withdraw', label: site.withdraw },
    { href: '/withdrawals', label: site.history },
    { href: '/balances', label: site.balances },
    { href: '/deposits', label: site.deposits },
    { href: '/addresses', label: site.addresses },
    { href: '/security', label: site.security },
    // The demo sends no mail: it lies here to be read.
    ...(hasMailbox ? [{ href: '/mail', label: site.mail }] : []),
  ];
  return (
    <PersonProvider key={person.userId} person={person}>
      <ApiProvider>
        <SiteHeader items={items} />
        <main id="main" tabIndex={-1} className="mx-auto max-w-6xl space-y-6 px-4 py-6 sm:px-6 sm:py-10">
          <SessionEnd at={sessionEndsAt} />
          <PendingBanner />
          {children}
        </main>
      </ApiProvider>
    </PersonProvider>
  );
}
