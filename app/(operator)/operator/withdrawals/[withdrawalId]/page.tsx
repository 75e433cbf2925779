import type { Metadata } from 'next';
import { requirePageSession } from '../../../../_session/read-page-session.ts';
import { enOperator } from '../../../../_words/en-operator.ts';
import { OperatorWithdrawalPage } from '../../_components/operator-withdrawal-page.tsx';

export const metadata: Metadata = { title: enOperator.withdrawals };

export default async function Page({ params }: { params: Promise<{ withdrawalId: string }> }) {
  const { withdrawalId } = await params;
  await requirePageSession(`/operator/withdrawals/${encodeURIComponent(withdrawalId)}`);
  return <OperatorWithdrawalPage withdrawalId={withdrawalId} />;
}
