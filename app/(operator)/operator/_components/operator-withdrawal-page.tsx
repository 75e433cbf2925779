'use client';

import { useQuery } from '@tanstack/react-query';
import { ArrowLeft } from 'lucide-react';
import Link from 'next/link';
import type { ReactNode } from 'react';
import { isTerminal } from '#domain/withdrawal.ts';
import { Amount } from '../../../_components/amount.tsx';
import { AnswerAge } from '../../../_components/answer-age.tsx';
import { CustodyTransfers } from '../../../_components/custody-transfers.tsx';
import { PageHeading } from '../../../_components/page-heading.tsx';
import { StatusBadge } from '../../../_components/status-badge.tsx';
import { Card } from '../../../_components/ui/card.tsx';
import { Notice } from '../../../_components/ui/notice.tsx';
import { Skeleton } from '../../../_components/ui/skeleton.tsx';
import { readApiError } from '../../../_trpc/read-api-error.ts';
import { useTRPC } from '../../../_trpc/trpc-provider.tsx';
import { useOperatorWords } from '../../../_words/use-operator-words.ts';
import { useWords } from '../../../_words/use-words.ts';
import { BooksTable } from './books-table.tsx';
import { OperatorFacts } from './operator-facts.tsx';
import { OperatorLedger } from './operator-ledger.tsx';
import { OperatorTimeline } from './operator-timeline.tsx';
import { WithdrawalDeeds } from './withdrawal-deeds.tsx';

const REFRESH_MS = 3_000; // One row is cheap, and an operator who opened it waits for its next step.

/** One withdrawal with everything we know of it, and where each fact came from. */
export function OperatorWithdrawalPage({ withdrawalId }: { withdrawalId: string }) {
  const operator = useOperatorWords();
  const { code } = useWords();
  const trpc = useTRPC();
  const query = useQuery({
    ...trpc.operator.withdrawal.queryOptions({ withdrawalId }),
    refetchInterval: ({ state }) => {
      const ended = state.data !== undefined && isTerminal(state.data.withdrawal.status);
      return ended || state.status === 'error' ? REFRESH_MS * 5 : REFRESH_MS;
    },
  });
  const back = (
    <Link
      href="/operator/withdrawals"
      prefetch={false}
      className="inline-flex min-h-8 items-center gap-1.5 rounded text-accent text-sm hover:underline"
    >
      <ArrowLeft aria-hidden="true" className="size-4" />
      {operator.back}
    </Link>
  );
  if (query.data === undefined) return <NotYet back={back} error={query.error} />;
  const { withdrawal, timeline, ledger, custody } = query.data;
  return (
    <>
      {back}
      <PageHeading
        aside={
          <StatusBadge
            status={withdrawal.status}
            label={operator.status[withdrawal.status]}
            data-testid="withdrawal-status"
            className="px-3 py-1.5 text-sm"
          />
        }
      >
        <Amount value={withdrawal.amount} asset={withdrawal.asset} />
      </PageHeading>
      <AnswerAge query={query} />
      {withdrawal.parkedReason !== null && (
        <Notice tone="warn" title={`${operator.parked}: ${code(withdrawal.parkedReason)}`} />
      )}
      <BooksTable withdrawalId={withdrawal.withdrawalId} />
      <div className="grid grid-cols-[minmax(0,1fr)] gap-6 lg:grid-cols-[minmax(0,1fr)_minmax(0,24rem)] lg:items-start">
        <div className="space-y-6">
          <Card className="space-y-4">
            <h2 className="font-semibold">{operator.timeline}</h2>
            <OperatorTimeline timeline={timeline} />
          </Card>
          <section className="space-y-3">
            <h2 className="font-semibold">{operator.ledger}</h2>
            <OperatorLedger ledger={ledger} asset={withdrawal.asset} />
          </section>
        </div>
        <div className="space-y-6">
          <WithdrawalDeeds withdrawal={withdrawal} />
          <Card className="space-y-4">
            <h2 className="font-semibold">{operator.facts}</h2>
            <OperatorFacts withdrawal={withdrawal} />
          </Card>
          <Card className="space-y-4 text-sm">
            <h2 className="font-semibold text-base">{operator.custody}</h2>
            <CustodyTransfers transfers={custody?.transfers ?? null} />
          </Card>
        </div>
      </div>
    </>
  );
}

function NotYet({ back, error }: { back: ReactNode; error: unknown }) {
  const { site } = useWords();
  if (error === null) return <Skeleton className="h-120 w-full rounded-2xl" />;
  const answer = readApiError(error);
  const missing = answer.kind === 'answered' && (answer.httpStatus === 404 || answer.httpStatus === 400);
  return (
    <>
      {back}
      <PageHeading>{missing ? site.notFound : site.somethingBroke}</PageHeading>
      <p className="text-muted">{missing ? site.notFoundMore : site.couldNotLoad}</p>
    </>
  );
}
