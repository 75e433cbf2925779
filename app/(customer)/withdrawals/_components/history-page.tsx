'use client';

import { useInfiniteQuery } from '@tanstack/react-query';
import { useRouter, useSearchParams } from 'next/navigation';
import { AnswerAge } from '../../../_components/answer-age.tsx';
import { LoadTrouble } from '../../../_components/load-trouble.tsx';
import { PageHeading } from '../../../_components/page-heading.tsx';
import { Button, ButtonLink } from '../../../_components/ui/button.tsx';
import { Skeleton } from '../../../_components/ui/skeleton.tsx';
import { useTRPC } from '../../../_trpc/trpc-provider.tsx';
import { useWords } from '../../../_words/use-words.ts';
import { WithdrawalRows } from '../../withdraw/_components/withdrawal-rows.tsx';
import { type HistoryFilter, historyQuery, historySearch, readHistoryFilter } from './history-filter.ts';
import { HistoryFilters } from './history-filters.tsx';

const PAGE_SIZE = 20; // A screen and a half on a desk.

/** Every withdrawal of the person, newest first, page by page. */
export function HistoryPage() {
  const { history, form } = useWords();
  const trpc = useTRPC();
  const router = useRouter();
  const params = useSearchParams();
  const filter = readHistoryFilter(params);
  const isFiltered = historySearch(filter) !== '';
  const query = useInfiniteQuery({
    ...trpc.withdrawal.list.infiniteQueryOptions(
      { ...historyQuery(filter), limit: PAGE_SIZE },
      { initialCursor: null, getNextPageParam: (page) => page.nextCursor },
    ),
    refetchOnMount: 'always',
  });
  const items = query.data?.pages.flatMap((page) => page.items);
  return (
    <div className="mx-auto max-w-3xl space-y-5">
      <div className="space-y-1">
        <PageHeading
          aside={
            <ButtonLink href="/withdraw" variant="primary">
              {form.title}
            </ButtonLink>
          }
        >
          {history.title}
        </PageHeading>
        <AnswerAge query={query} />
      </div>
      <HistoryFilters
        filter={filter}
        onApply={(next) => {
          const search = historySearch(next);
          router.replace(search === '' ? '/withdrawals' : `/withdrawals?${search}`, { scroll: false });
        }}
      />
      <section className="overflow-hidden rounded-2xl border border-line bg-surface" aria-busy={query.isPending}>
        {query.isPending && <Skeleton className="m-5 h-96" />}
        {query.isError && items === undefined && <LoadTrouble error={query.error} onRetry={() => query.refetch()} />}
        {items?.length === 0 && (
          <div className="space-y-1 p-8 text-center">
            <p className="font-medium">{isFiltered ? history.none : history.empty}</p>
            {!isFiltered && <p className="text-muted text-sm">{history.emptyMore}</p>}
          </div>
        )}
        {items !== undefined && items.length > 0 && <WithdrawalRows items={items} />}
      </section>
      {/* Not before the list is there: it would be pushed about by how long that turns out to be. */}
      <div className={query.isPending ? 'hidden' : 'flex flex-wrap items-center justify-between gap-3'}>
        {query.hasNextPage ? (
          <Button
            busy={query.isFetchingNextPage}
            onClick={() => {
              if (!query.isFetchingNextPage) query.fetchNextPage();
            }}
          >
            {query.isFetchingNextPage ? history.loadingMore : history.more}
          </Button>
        ) : (
          <p className="text-muted text-sm">{items !== undefined && items.length > 0 ? history.end : ''}</p>
        )}
        <a
          href={`/api/history.csv?${csvSearch(filter)}`}
          download
          className="inline-flex min-h-11 items-center text-accent text-sm underline"
        >
          {history.csv}
        </a>
      </div>
    </div>
  );
}

/** The same filters for the file: its door takes instants, not days. */
function csvSearch(filter: HistoryFilter): string {
  const set = Object.entries(historyQuery(filter)).filter((entry): entry is [string, string] => entry[1] !== null);
  return new URLSearchParams(set).toString();
}
