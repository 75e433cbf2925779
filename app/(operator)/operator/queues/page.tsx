import type { Metadata } from 'next';
import { Suspense } from 'react';
import { requirePageSession } from '../../../_session/read-page-session.ts';
import { enRoom } from '../../../_words/en-operator-room.ts';
import { QueuesPage } from '../_components/queues-page.tsx';

export const metadata: Metadata = { title: enRoom.pages.queues };

export default async function Page() {
  await requirePageSession('/operator/queues');
  return (
    <Suspense>
      <QueuesPage />
    </Suspense>
  );
}
