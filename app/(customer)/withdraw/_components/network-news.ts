import type { WithdrawalView } from '../../../_trpc/api-types.ts';

/** What this visit has seen of a withdrawal on its network, and what has to be explained of it. */
export type NetworkNews = {
  hash: string | null;
  mostConfirmations: number;
  /** `replaced`: another transaction carries the same transfer. `recounted`: blocks were replaced, and counting began anew. */
  news: 'replaced' | 'recounted' | null;
};

/** The news after one more answer of the server; the same object when there is none. Numbers that fall frighten. */
export function nextNetworkNews(
  before: NetworkNews,
  now: Pick<WithdrawalView, 'transactionHash' | 'confirmations' | 'status'>,
): NetworkNews {
  const { transactionHash: hash, confirmations, status } = now;
  const isReplaced = before.hash !== null && hash !== null && hash !== before.hash;
  const isRecounted = status === 'broadcast' && confirmations < before.mostConfirmations;
  const news = isReplaced ? 'replaced' : (before.news ?? (isRecounted ? 'recounted' : null));
  const mostConfirmations = isReplaced ? confirmations : Math.max(before.mostConfirmations, confirmations);
  const seen = hash ?? before.hash;
  const isSame = seen === before.hash && mostConfirmations === before.mostConfirmations && news === before.news;
  return isSame ? before : { hash: seen, mostConfirmations, news };
}
