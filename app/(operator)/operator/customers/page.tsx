import type { Metadata } from 'next';
import { Suspense } from 'react';
import { requirePageSession } from '../../../_session/read-page-session.ts';
import { enRoom } from '../../../_words/en-operator-room.ts';
import { CustomersPage } from '../_components/customers-page.tsx';

export const metadata: Metadata = { title: enRoom.pages.customers };

export default async function Page() {
  await requirePageSession('/operator/customers');
  return (
    <Suspense>
      <CustomersPage />
    </Suspense>
  );
}
