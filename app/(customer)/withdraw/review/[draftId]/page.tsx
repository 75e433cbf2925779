import type { Metadata } from 'next';
import { requirePageSession } from '../../../../_session/read-page-session.ts';
import { en } from '../../../../_words/en.ts';
import { WithdrawalReview } from '../../_components/withdrawal-review.tsx';

export const metadata: Metadata = { title: en.review.title };

export default async function Page({ params }: { params: Promise<{ draftId: string }> }) {
  const { draftId } = await params;
  await requirePageSession(`/withdraw/review/${encodeURIComponent(draftId)}`);
  return <WithdrawalReview draftId={draftId} />;
}
