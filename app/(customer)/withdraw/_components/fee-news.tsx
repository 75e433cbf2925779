import { useQuery } from '@tanstack/react-query';
import { Button } from '../../../_components/ui/button.tsx';
import { Notice } from '../../../_components/ui/notice.tsx';
import { useTRPC } from '../../../_trpc/trpc-provider.tsx';
import { useWords } from '../../../_words/use-words.ts';
import { QUOTE_REFRESH_MS } from './quote-refresh.ts';
import { useDraftAgain } from './use-draft-again.ts';
import type { WithdrawalDraft } from './withdrawal-draft.ts';

/** Says that another fee holds since the review, and offers to review anew. Pressed all the same, it is refused: no fee is charged unseen. */
export function FeeNews({ draft }: { draft: WithdrawalDraft }) {
  const { review } = useWords();
  const { again, busy } = useDraftAgain(draft);
  const fee = useNewFee(draft);
  if (fee === null) return null;
  return (
    <Notice tone="warn" title={review.feeNewsTitle}>
      <p>{review.feeNews(draft.fee, fee, draft.asset)}</p>
      <p>{review.feeNewsMore}</p>
      <Button busy={busy} onClick={() => again(draft.lookAlikeOf)}>
        {review.newFee}
      </Button>
    </Notice>
  );
}

/** Both fees, once they are known: what was reviewed, and what holds now. */
export function FeeBeforeAndNow({ draft }: { draft: WithdrawalDraft }) {
  const { review } = useWords();
  const fee = useNewFee(draft);
  return fee === null ? null : <p>{review.feeNews(draft.fee, fee, draft.asset)}</p>;
}

/** The fee that holds now, a decimal text in whole units; null while it is the reviewed one or not known. */
function useNewFee(draft: WithdrawalDraft): string | null {
  const trpc = useTRPC();
  const { data } = useQuery({
    ...trpc.withdrawal.quote.queryOptions({ asset: draft.asset, network: draft.network }),
    refetchOnMount: 'always',
    refetchInterval: QUOTE_REFRESH_MS,
  });
  return data === undefined || data.fee === draft.fee ? null : data.fee;
}
