'use client';

import { useInfiniteQuery } from '@tanstack/react-query';
import { PageHeading } from '../../../_components/page-heading.tsx';
import { Button, ButtonLink } from '../../../_components/ui/button.tsx';
import { Skeleton } from '../../../_components/ui/skeleton.tsx';
import { useTRPC } from '../../../_trpc/trpc-provider.tsx';
import { useWords } from '../../../_words/use-words.ts';
import { WithdrawalRows } from '../../withdraw/_components/withdrawal-rows.tsx';

const PAGE_SIZE = 20; // A screen and a half on a desk.

/** Every withdrawal of the person, newest first, page by page. */
export function HistoryPage() {
  const { history, site, form } = useWords();
  const trpc = useTRPC();
  const query = useInfiniteQuery({
    ...trpc.withdrawal.list.infiniteQueryOptions(
      { limit: PAGE_SIZE },
      { initialCursor: null, getNextPageParam: (page) => page.nextCursor },
    ),
    refetchOnMount: 'always',
  });
  const items = query.data?.pages.flatMap((page) => page.items);
  return (
    <div className="mx-auto max-w-3xl space-y-5">
      <PageHeading
        aside={
          <ButtonLink href="/withdraw" variant="primary">
            {form.title}
          </ButtonLink>
        }
      >
        {history.title}
      </PageHeading>
      <section className="overflow-hidden rounded-2xl border border-line bg-surface" aria-busy={query.isPending}>
        {query.isPending && <Skeleton className="m-5 h-96" />}
        {query.isError && items === undefined && (
          <div className="space-y-3 p-6">
            <p>{site.couldNotLoad}</p>
            <Button onClick={() => query.refetch()}>{site.tryAgain}</Button>
          </div>
        )}
        {items?.length === 0 && (
          <div className="space-y-1 p-8 text-center">
            <p className="font-medium">{history.empty}</p>
            <p className="text-muted text-sm">{history.emptyMore}</p>
          </div>
        )}
        {items !== undefined && items.length > 0 && <WithdrawalRows items={items} />}
      </section>
      {query.hasNextPage && (
        <Button
          busy={query.isFetchingNextPage}
          onClick={() => {
            if (!query.isFetchingNextPage) query.fetchNextPage();
          }}
        >
          {query.isFetchingNextPage ? history.loadingMore : history.more}
        </Button>
      )}
    </div>
  );
}
