import type { Metadata } from 'next';
import { Suspense } from 'react';
import { requirePageSession } from '../../../_session/read-page-session.ts';
import { enRoom } from '../../../_words/en-operator-room.ts';
import { ApprovalsPage } from '../_components/approvals-page.tsx';

export const metadata: Metadata = { title: enRoom.pages.approvals };

export default async function Page() {
  await requirePageSession('/operator/approvals');
  return (
    <Suspense>
      <ApprovalsPage />
    </Suspense>
  );
}
