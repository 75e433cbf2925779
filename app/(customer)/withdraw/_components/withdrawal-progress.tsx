'use client';

import { ExternalLink } from 'lucide-react';
import { useState } from 'react';
import { isTerminal } from '#domain/withdrawal.ts';
import { AddressText } from '../../../_components/address-text.tsx';
import { AgeText } from '../../../_components/age-text.tsx';
import { Amount } from '../../../_components/amount.tsx';
import { CopyButton } from '../../../_components/copy-button.tsx';
import { PageHeading } from '../../../_components/page-heading.tsx';
import { Reference } from '../../../_components/reference.tsx';
import { StatusBadge } from '../../../_components/status-badge.tsx';
import { Button, ButtonLink } from '../../../_components/ui/button.tsx';
import { Card } from '../../../_components/ui/card.tsx';
import { Disclosure } from '../../../_components/ui/disclosure.tsx';
import { Notice } from '../../../_components/ui/notice.tsx';
import { Skeleton } from '../../../_components/ui/skeleton.tsx';
import { useIsOnline } from '../../../_components/use-is-online.ts';
import { signInPath } from '../../../_session/sign-in-path.ts';
import type { WithdrawalView } from '../../../_trpc/api-types.ts';
import { readApiError, readReference } from '../../../_trpc/read-api-error.ts';
import { useWords } from '../../../_words/use-words.ts';
import { CancelWithdrawal } from './cancel-withdrawal.tsx';
import { type NetworkNews, nextNetworkNews } from './network-news.ts';
import { ProgressTimeline } from './progress-timeline.tsx';
import { useWithdrawalPoll } from './use-withdrawal-poll.ts';
import { WithdrawalFacts } from './withdrawal-facts.tsx';
import { WithdrawalProofPanel } from './withdrawal-proof-panel.tsx';

/** One withdrawal, from the press to the last confirmation, in the customer's words. */
export function WithdrawalProgress({ withdrawalId }: { withdrawalId: string }) {
  const words = useWords();
  const { withdrawal, error, checkedAt, refetch } = useWithdrawalPoll(withdrawalId);
  if (withdrawal === null) {
    return error === null ? <ProgressSkeleton /> : <NotShown error={error} onRetry={() => refetch()} />;
  }
  const ended = isTerminal(withdrawal.status);
  return (
    <div className="mx-auto max-w-3xl space-y-5">
      <div className="space-y-2">
        <PageHeading
          aside={
            <StatusBadge
              status={withdrawal.status}
              label={words.status[withdrawal.status]}
              data-testid="withdrawal-status"
              className="px-3 py-1.5 text-sm"
            />
          }
        >
          {words.progress.title}{' '}
          <span className="inline-block max-w-full">
            <Amount value={withdrawal.amount} asset={withdrawal.asset} />
          </span>
        </PageHeading>
        <p className="text-muted">{words.statusMeaning[withdrawal.status]}</p>
      </div>
      <p role="status" className="sr-only">
        {words.status[withdrawal.status]}. {words.statusMeaning[withdrawal.status]}
      </p>
      {!ended && <Offline />}
      {error !== null && <PollTrouble error={error} withdrawalId={withdrawalId} />}
      <Waiting withdrawal={withdrawal} />
      <OnTheNetwork withdrawal={withdrawal} />
      <Card className="space-y-5">
        <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
          <h2 className="font-semibold">{words.progress.steps}</h2>
          <span className="text-muted text-xs">
            {ended ? words.progress.finished : <AgeText atMs={checkedAt} wrap={words.site.updated} />}
          </span>
        </div>
        <ProgressTimeline withdrawal={withdrawal} />
        <TransactionHash withdrawal={withdrawal} />
        <CancelWithdrawal withdrawal={withdrawal} />
      </Card>
      <Card className="space-y-4">
        <h2 className="font-semibold">{words.progress.details}</h2>
        <WithdrawalFacts withdrawal={withdrawal} />
      </Card>
      <Disclosure title={words.progress.proof}>
        <WithdrawalProofPanel withdrawalId={withdrawalId} networkName={withdrawal.networkName} />
      </Disclosure>
      {ended && <ButtonLink href="/withdraw">{words.progress.again}</ButtonLink>}
    </div>
  );
}

function Offline() {
  const { progress, site } = useWords();
  const isOnline = useIsOnline();
  return (
    <div role="status" className="empty:hidden">
      {!isOnline && (
        <Notice tone="warn" title={site.offline}>
          <p>{progress.offline}</p>
        </Notice>
      )}
    </div>
  );
}

function Waiting({ withdrawal }: { withdrawal: WithdrawalView }) {
  const words = useWords();
  if (withdrawal.refusal !== null) {
    const { code, message } = withdrawal.refusal;
    return (
      <Notice tone="bad" title={withdrawal.status === 'failed' ? words.failure(code) : words.refusal(code, message)} />
    );
  }
  if (withdrawal.parked) return <Notice tone="warn" title={words.progress.reviewFlag} />;
  if (withdrawal.waitReason === null || isTerminal(withdrawal.status)) return null;
  return (
    <Notice tone="info" title={words.progress.waiting}>
      <p>{words.waitReason(withdrawal.waitReason)}</p>
    </Notice>
  );
}

/** Explains numbers and ids that changed while somebody watched. */
function OnTheNetwork({ withdrawal }: { withdrawal: WithdrawalView }) {
  const { progress } = useWords();
  const [seen, setSeen] = useState<NetworkNews>({ hash: null, mostConfirmations: 0, news: null });
  const next = nextNetworkNews(seen, withdrawal);
  if (next !== seen) setSeen(next);
  return (
    <div role="status" className="empty:hidden">
      {next.news !== null && !isTerminal(withdrawal.status) && (
        <Notice tone="info" title={progress.networkNews[next.news]} />
      )}
    </div>
  );
}

function TransactionHash({ withdrawal }: { withdrawal: WithdrawalView }) {
  const { progress, site } = useWords();
  const { transactionHash, explorerUrl } = withdrawal;
  if (transactionHash === null) return null;
  return (
    <div className="rounded-xl bg-raised p-4">
      <div className="flex items-center justify-between gap-2">
        <h3 className="text-muted text-sm">{progress.hash}</h3>
        <CopyButton text={transactionHash} what={progress.hash.toLowerCase()} />
      </div>
      <AddressText value={transactionHash} data-testid="transaction-hash" className="leading-7" />
      {explorerUrl !== null && (
        <p className="pt-2">
          <a
            href={explorerUrl}
            target="_blank"
            rel="noopener noreferrer"
            className="inline-flex min-h-8 pointer-coarse:min-h-11 items-center gap-1.5 rounded text-accent text-sm hover:underline"
          >
            {progress.explorer}
            <ExternalLink aria-hidden="true" className="size-4" />
            <span className="sr-only">({site.opensExternal})</span>
          </a>
        </p>
      )}
    </div>
  );
}

function PollTrouble({ error, withdrawalId }: { error: unknown; withdrawalId: string }) {
  const { progress, review } = useWords();
  const answer = readApiError(error);
  if (answer.kind === 'answered' && answer.httpStatus === 401) {
    return (
      <Notice tone="warn" title={progress.signedOut}>
        <a
          href={signInPath(`/withdrawals/${withdrawalId}`)}
          className="inline-flex min-h-8 items-center pointer-coarse:min-h-11 text-accent underline underline-offset-2"
        >
          {review.signInAgain}
        </a>
      </Notice>
    );
  }
  return (
    <div className="text-sm">
      <p className="text-muted">{progress.stale}</p>
      <Reference id={readReference(error)} />
    </div>
  );
}

function NotShown({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const { progress, site } = useWords();
  const answer = readApiError(error);
  const missing = answer.kind === 'answered' && (answer.httpStatus === 404 || answer.httpStatus === 400);
  return (
    <div className="mx-auto max-w-3xl space-y-5">
      <PageHeading>{missing ? progress.notFound : site.somethingBroke}</PageHeading>
      <p className="text-muted">{missing ? site.notFoundMore : site.couldNotLoad}</p>
      <Reference id={readReference(error)} />
      <div className="flex gap-2">
        {!missing && (
          <Button variant="primary" onClick={onRetry}>
            {site.tryAgain}
          </Button>
        )}
        <ButtonLink href="/withdrawals">{site.history}</ButtonLink>
      </div>
    </div>
  );
}

function ProgressSkeleton() {
  const { site } = useWords();
  return (
    <div className="mx-auto max-w-3xl space-y-5" aria-busy="true">
      <p role="status" className="sr-only">
        {site.loading}
      </p>
      <Skeleton className="h-10 w-80 max-w-full" />
      <Skeleton className="h-80 w-full rounded-2xl" />
      <Skeleton className="h-56 w-full rounded-2xl" />
    </div>
  );
}
