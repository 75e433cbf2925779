import type { Metadata } from 'next';
import { Suspense } from 'react';
import { requirePageSession } from '../../../_session/read-page-session.ts';
import { enOperator } from '../../../_words/en-operator.ts';
import { OperatorWithdrawalsPage } from '../_components/operator-withdrawals-page.tsx';

export const metadata: Metadata = { title: enOperator.withdrawals };

export default async function Page() {
  await requirePageSession('/operator/withdrawals');
  return (
    <Suspense>
      <OperatorWithdrawalsPage />
    </Suspense>
  );
}
