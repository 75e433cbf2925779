import type { Metadata } from 'next';
import { Suspense } from 'react';
import { requirePageSession } from '../../../_session/read-page-session.ts';
import { enRoom } from '../../../_words/en-operator-room.ts';
import { SwitchesPage } from '../_components/switches-page.tsx';

export const metadata: Metadata = { title: enRoom.pages.switches };

export default async function Page() {
  await requirePageSession('/operator/switches');
  return (
    <Suspense>
      <SwitchesPage />
    </Suspense>
  );
}
