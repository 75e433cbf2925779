'use client';

import { useQuery } from '@tanstack/react-query';
import { AgeText } from '../../../_components/age-text.tsx';
import { PageHeading } from '../../../_components/page-heading.tsx';
import { ButtonLink } from '../../../_components/ui/button.tsx';
import { Notice } from '../../../_components/ui/notice.tsx';
import { Skeleton } from '../../../_components/ui/skeleton.tsx';
import { useTRPC } from '../../../_trpc/trpc-provider.tsx';
import { useOperatorWords } from '../../../_words/use-operator-words.ts';
import { useWords } from '../../../_words/use-words.ts';
import { StatusCounts } from './status-counts.tsx';
import { WithdrawalTable } from './withdrawal-table.tsx';

const REFRESH_MS = 5_000; // "Within seconds" is the promise to whoever is on duty.
const WORST_SHOWN = 10;

/** Whether anything is wrong, what, and since when. */
export function OverviewPage() {
  const operator = useOperatorWords();
  const { site } = useWords();
  const trpc = useTRPC();
  const query = useQuery({
    ...trpc.operator.withdrawals.queryOptions({ cursor: null, limit: WORST_SHOWN, sort: 'worst_first' }),
    refetchInterval: REFRESH_MS,
  });
  const overdue = query.data?.items.filter((item) => item.overdue) ?? [];
  return (
    <>
      <div className="space-y-1">
        <PageHeading
          aside={
            query.data !== undefined && (
              <span className="text-muted text-sm">
                {query.isError ? operator.stale : <AgeText atMs={query.dataUpdatedAt} wrap={operator.updated} />}
              </span>
            )
          }
        >
          {operator.overview}
        </PageHeading>
        <p className="text-muted">{operator.overviewLead}</p>
      </div>
      {query.isPending && <Skeleton className="h-60 w-full" />}
      {query.data === undefined && query.isError && <Notice tone="bad" title={site.couldNotLoad} />}
      {query.data !== undefined && (
        <>
          <section className="space-y-3">
            <h2 className="font-semibold">{operator.worst}</h2>
            {overdue.length === 0 ? (
              <Notice tone="good" title={operator.allOnTime} />
            ) : (
              <WithdrawalTable items={overdue} caption={operator.worst} />
            )}
          </section>
          <section className="space-y-3">
            <h2 className="font-semibold">{operator.perStatus}</h2>
            <StatusCounts counts={query.data.counts} />
          </section>
          <ButtonLink href="/operator/withdrawals">{operator.seeAll}</ButtonLink>
        </>
      )}
    </>
  );
}
