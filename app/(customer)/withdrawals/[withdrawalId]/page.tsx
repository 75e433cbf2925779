import type { Metadata } from 'next';
import { requirePageSession } from '../../../_session/read-page-session.ts';
import { en } from '../../../_words/en.ts';
import { WithdrawalProgress } from '../../withdraw/_components/withdrawal-progress.tsx';

export const metadata: Metadata = { title: en.history.title };

export default async function Page({ params }: { params: Promise<{ withdrawalId: string }> }) {
  const { withdrawalId } = await params;
  await requirePageSession(`/withdrawals/${encodeURIComponent(withdrawalId)}`);
  return <WithdrawalProgress withdrawalId={withdrawalId} />;
}
