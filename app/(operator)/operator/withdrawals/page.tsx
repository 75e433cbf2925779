import type { Metadata } from 'next';
import { Suspense } from 'react';
import { requirePageSession } from '../../../_session/read-page-session.ts';
import { en } from '../../../_words/en.ts';
import { OperatorWithdrawalsPage } from '../_components/operator-withdrawals-page.tsx';

export const metadata: Metadata = { title: en.operator.withdrawals };

export default async function Page() {
  await requirePageSession('/operator/withdrawals');
  return (
    <Suspense>
      <OperatorWithdrawalsPage />
    </Suspense>
  );
}
