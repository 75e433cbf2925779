import { useRouter } from 'next/navigation';
import { useEffect } from 'react';
import { ButtonLink } from '../../../_components/ui/button.tsx';
import { Notice } from '../../../_components/ui/notice.tsx';
import { useWords } from '../../../_words/use-words.ts';

/** Nothing can be sent from this review any more. */
export function ReviewClosed() {
  const { review } = useWords();
  return (
    <Notice tone="info" title={review.goneTitle}>
      <p>{review.gone}</p>
      <p className="flex flex-wrap gap-2 pt-1">
        <ButtonLink href="/withdraw" variant="primary">
          {review.startAgain}
        </ButtonLink>
        <ButtonLink href="/withdrawals">{review.toHistory}</ButtonLink>
      </p>
    </Notice>
  );
}

/** This review became a withdrawal before: it leads there, replacing itself, so that Back does not come here again. */
export function ReviewSettled({ withdrawalId }: { withdrawalId: string }) {
  const { review } = useWords();
  const router = useRouter();
  useEffect(() => router.replace(`/withdrawals/${withdrawalId}`), [router, withdrawalId]);
  return (
    <Notice tone="good" title={review.settledTitle}>
      <p>{review.settled}</p>
      <ButtonLink href={`/withdrawals/${withdrawalId}`} variant="primary">
        {review.openWithdrawal}
      </ButtonLink>
    </Notice>
  );
}
