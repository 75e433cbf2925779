import { useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { LoadTrouble } from '../../../_components/load-trouble.tsx';
import { Skeleton } from '../../../_components/ui/skeleton.tsx';
import { useTRPC } from '../../../_trpc/trpc-provider.tsx';
import { useWords } from '../../../_words/use-words.ts';
import { WithdrawalRows } from './withdrawal-rows.tsx';

const SHOWN = 3; // Enough to see whether the last one is on its way; the rest is a page of its own.

/** The latest withdrawals under the form, so that nobody starts one that is already under way. */
export function RecentWithdrawals() {
  const { history } = useWords();
  const trpc = useTRPC();
  const query = useQuery({
    ...trpc.withdrawal.list.queryOptions({ cursor: null, limit: SHOWN }),
    refetchOnMount: 'always',
  });
  const items = query.data?.items;
  return (
    <section className="overflow-hidden rounded-2xl border border-line bg-surface" aria-busy={query.isPending}>
      <div className="flex items-center justify-between gap-4 border-line border-b px-5 py-3.5 sm:px-6">
        <h2 className="font-semibold">{history.recent}</h2>
        <Link
          href="/withdrawals"
          prefetch={false}
          className="inline-flex min-h-8 pointer-coarse:min-h-11 min-w-11 items-center justify-end rounded text-accent text-sm hover:underline"
        >
          {history.all}
        </Link>
      </div>
      {query.isPending && <Skeleton className="m-5 h-24" />}
      {query.isError && items === undefined && (
        <LoadTrouble error={query.error} onRetry={() => query.refetch()} className="p-5 text-sm" />
      )}
      {items?.length === 0 && (
        <p className="p-5 text-muted text-sm sm:px-6">
          {history.empty} {history.emptyMore}
        </p>
      )}
      {items !== undefined && items.length > 0 && <WithdrawalRows items={items} />}
    </section>
  );
}
