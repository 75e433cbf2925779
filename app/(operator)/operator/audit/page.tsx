import type { Metadata } from 'next';
import { Suspense } from 'react';
import { requirePageSession } from '../../../_session/read-page-session.ts';
import { enRoom } from '../../../_words/en-operator-room.ts';
import { AuditPage } from '../_components/audit-page.tsx';

export const metadata: Metadata = { title: enRoom.pages.audit };

export default async function Page() {
  await requirePageSession('/operator/audit');
  return (
    <Suspense>
      <AuditPage />
    </Suspense>
  );
}
