import type { Metadata } from 'next';
import { Suspense } from 'react';
import { requirePageSession } from '../../_session/read-page-session.ts';
import { enOperator } from '../../_words/en-operator.ts';
import { OverviewPage } from './_components/overview-page.tsx';

export const metadata: Metadata = { title: enOperator.overview };

export default async function Page() {
  await requirePageSession('/operator');
  return (
    <Suspense>
      <OverviewPage />
    </Suspense>
  );
}
