'use client';

import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useRouter, useSearchParams } from 'next/navigation';
import { WITHDRAWAL_STATUSES } from '#domain/withdrawal.ts';
import { AnswerAge } from '../../../_components/answer-age.tsx';
import { PageHeading } from '../../../_components/page-heading.tsx';
import { Button } from '../../../_components/ui/button.tsx';
import { CONTROL, Field } from '../../../_components/ui/field.tsx';
import { Notice } from '../../../_components/ui/notice.tsx';
import { Select } from '../../../_components/ui/select.tsx';
import { Skeleton } from '../../../_components/ui/skeleton.tsx';
import { useFilterDraft } from '../../../_components/use-filter-draft.ts';
import { useTRPC } from '../../../_trpc/trpc-provider.tsx';
import { useOperatorWords } from '../../../_words/use-operator-words.ts';
import { useWords } from '../../../_words/use-words.ts';
import { countText } from './count-text.ts';
import { CsvDownload } from './csv-download.tsx';
import { type ListFilters, readListFilters, toListQuestion, writeListFilters } from './list-filters.ts';
import { SavedViews } from './saved-views.tsx';
import { ShowMore } from './show-more.tsx';
import { WithdrawalTable } from './withdrawal-table.tsx';

const PAGE_SIZE = 50;
const REFRESH_MS = 10_000; // Every page shown is read again; the overview is the quick one.

/** Every withdrawal, worst first, by the filters of the URL. */
export function OperatorWithdrawalsPage() {
  const operator = useOperatorWords();
  const { site } = useWords();
  const trpc = useTRPC();
  const filters = readListFilters(useSearchParams());
  const asked = toListQuestion(filters, new Date());
  const query = useInfiniteQuery({
    ...trpc.operator.withdrawals.infiniteQueryOptions(
      {
        limit: PAGE_SIZE,
        ...asked,
        status: asked.status === undefined ? null : [asked.status],
      },
      { initialCursor: null, getNextPageParam: (page) => page.nextCursor },
    ),
    refetchInterval: REFRESH_MS,
    placeholderData: keepPreviousData,
  });
  const items = query.data?.pages.flatMap((page) => page.items);
  const counts = query.data?.pages[0]?.counts;
  return (
    <>
      <PageHeading aside={<AnswerAge query={query} />}>{operator.withdrawals}</PageHeading>
      <SavedViews filters={filters} />
      <CsvDownload path="/api/operator/withdrawals.csv" asked={() => toListQuestion(filters, new Date())} />
      <Filters filters={filters} counts={counts} />
      {query.isPending && <Skeleton className="h-96 w-full" />}
      {query.isError && items === undefined && <Notice tone="bad" title={site.couldNotLoad} />}
      {items?.length === 0 && (
        <p className="rounded-2xl border border-line bg-surface p-8 text-center">{operator.empty}</p>
      )}
      {items !== undefined && items.length > 0 && <WithdrawalTable items={items} caption={operator.withdrawals} />}
      <ShowMore query={query} />
    </>
  );
}

function Filters({ filters, counts }: { filters: ListFilters; counts: Partial<Record<string, number>> | undefined }) {
  const operator = useOperatorWords();
  const router = useRouter();
  const { values, change, apply } = useFilterDraft({
    filter: filters,
    toText: writeListFilters,
    onApply: (next) => router.replace(`/operator/withdrawals${writeListFilters(next)}`, { scroll: false }),
  });
  /** Whoever chooses leaves the views that know no other filter, and takes along what stands in the box. */
  const choose = (changed: Partial<ListFilters>) => {
    apply({ ...values, search: values.search.trim(), only: null, ...changed });
  };
  return (
    <form
      className="grid gap-4 sm:grid-cols-[minmax(0,1fr)_14rem_12rem_auto] sm:items-end"
      onSubmit={(event) => {
        event.preventDefault();
        choose({});
      }}
    >
      <Field id="search" label={operator.search}>
        <input
          id="search"
          name="search"
          type="search"
          value={values.search}
          onChange={(event) => change({ search: event.target.value })}
          placeholder={operator.searchHint}
          autoComplete="off"
          className={CONTROL}
        />
      </Field>
      <Field id="status" label={operator.statusFilter}>
        <Select
          id="status"
          value={values.status ?? ''}
          onChange={(event) =>
            choose({ status: WITHDRAWAL_STATUSES.find((status) => status === event.target.value) ?? null })
          }
        >
          <option value="">{operator.all}</option>
          {WITHDRAWAL_STATUSES.map((status) => (
            <option key={status} value={status}>
              {operator.status[status]} ({countText(counts?.[status] ?? 0, status)})
            </option>
          ))}
        </Select>
      </Field>
      <Field id="sort" label={operator.sort}>
        <Select
          id="sort"
          value={values.sort}
          onChange={(event) => choose({ sort: event.target.value === 'newest' ? 'newest' : 'worst_first' })}
        >
          <option value="worst_first">{operator.worstFirst}</option>
          <option value="newest">{operator.newest}</option>
        </Select>
      </Field>
      <Button type="submit" variant="primary" className="min-h-12">
        {operator.searchSubmit}
      </Button>
    </form>
  );
}
