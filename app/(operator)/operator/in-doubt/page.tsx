import type { Metadata } from 'next';
import { Suspense } from 'react';
import { requirePageSession } from '../../../_session/read-page-session.ts';
import { enRoom } from '../../../_words/en-operator-room.ts';
import { InDoubtPage } from '../_components/in-doubt-page.tsx';

export const metadata: Metadata = { title: enRoom.pages.inDoubt };

export default async function Page() {
  await requirePageSession('/operator/in-doubt');
  return (
    <Suspense>
      <InDoubtPage />
    </Suspense>
  );
}
