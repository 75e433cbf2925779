import type { Metadata } from 'next';
import { Suspense } from 'react';
import { requirePageSession } from '../../../_session/read-page-session.ts';
import { enRoom } from '../../../_words/en-operator-room.ts';
import { CasesPage } from '../_components/cases-page.tsx';

export const metadata: Metadata = { title: enRoom.pages.cases };

export default async function Page() {
  await requirePageSession('/operator/cases');
  return (
    <Suspense>
      <CasesPage />
    </Suspense>
  );
}
