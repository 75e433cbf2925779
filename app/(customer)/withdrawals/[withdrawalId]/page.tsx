import type { Metadata } from 'next';
import { requirePageSession } from '../../../_session/read-page-session.ts';
import { readWords } from '../../../_words/read-words.ts';
import { WithdrawalProgress } from '../../withdraw/_components/withdrawal-progress.tsx';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await readWords()).history.title };
}

export default async function Page({ params }: { params: Promise<{ withdrawalId: string }> }) {
  const { withdrawalId } = await params;
  await requirePageSession(`/withdrawals/${encodeURIComponent(withdrawalId)}`);
  return <WithdrawalProgress withdrawalId={withdrawalId} />;
}
