import type { Metadata } from 'next';
import { requirePageSession } from '../../../../_session/read-page-session.ts';
import { readWords } from '../../../../_words/read-words.ts';
import { WithdrawalReview } from '../../_components/withdrawal-review.tsx';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await readWords()).review.title };
}

export default async function Page({ params }: { params: Promise<{ draftId: string }> }) {
  const { draftId } = await params;
  await requirePageSession(`/withdraw/review/${encodeURIComponent(draftId)}`);
  return <WithdrawalReview draftId={draftId} />;
}
