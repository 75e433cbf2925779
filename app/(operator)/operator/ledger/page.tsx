import type { Metadata } from 'next';
import { Suspense } from 'react';
import { requirePageSession } from '../../../_session/read-page-session.ts';
import { enRoom } from '../../../_words/en-operator-room.ts';
import { LedgerPage } from '../_components/ledger-page.tsx';

export const metadata: Metadata = { title: enRoom.pages.ledger };

export default async function Page() {
  await requirePageSession('/operator/ledger');
  return (
    <Suspense>
      <LedgerPage />
    </Suspense>
  );
}
