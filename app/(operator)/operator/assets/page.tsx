import type { Metadata } from 'next';
import { Suspense } from 'react';
import { requirePageSession } from '../../../_session/read-page-session.ts';
import { enRoom } from '../../../_words/en-operator-room.ts';
import { AssetsPage } from '../_components/assets-page.tsx';

export const metadata: Metadata = { title: enRoom.pages.assets };

export default async function Page() {
  await requirePageSession('/operator/assets');
  return (
    <Suspense>
      <AssetsPage />
    </Suspense>
  );
}
