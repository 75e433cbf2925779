import type { Metadata } from 'next';
import { Suspense } from 'react';
import { requirePageSession } from '../../../_session/read-page-session.ts';
import { enRoom } from '../../../_words/en-operator-room.ts';
import { ReconciliationPage } from '../_components/reconciliation-page.tsx';

export const metadata: Metadata = { title: enRoom.pages.reconciliation };

export default async function Page() {
  await requirePageSession('/operator/reconciliation');
  return (
    <Suspense>
      <ReconciliationPage />
    </Suspense>
  );
}
