import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { AddressText } from '../../../_components/address-text.tsx';
import { Amount } from '../../../_components/amount.tsx';
import { CustodyTransfers } from '../../../_components/custody-transfers.tsx';
import { LoadTrouble } from '../../../_components/load-trouble.tsx';
import { TimeText } from '../../../_components/time-text.tsx';
import { Skeleton } from '../../../_components/ui/skeleton.tsx';
import type { WithdrawalProof } from '../../../_trpc/api-types.ts';
import { useTRPC } from '../../../_trpc/trpc-provider.tsx';
import { useWords } from '../../../_words/use-words.ts';

const REFRESH_MS = 5_000; // Open beside a moving withdrawal it should follow; nobody watches it by the second.

/** The evidence that it was sent once: key, attempts, events, and the custodian's own list for the key. */
export function WithdrawalProofPanel({ withdrawalId, networkName }: { withdrawalId: string; networkName: string }) {
  const { progress } = useWords();
  const trpc = useTRPC();
  const query = useQuery({
    ...trpc.withdrawal.proof.queryOptions({ withdrawalId }),
    staleTime: 0,
    refetchInterval: REFRESH_MS,
  });
  if (query.data === undefined) {
    return query.isError ? (
      <LoadTrouble error={query.error} onRetry={() => query.refetch()} className="text-sm" />
    ) : (
      <div aria-busy="true">
        <Skeleton className="h-40 w-full" />
      </div>
    );
  }
  return (
    <div className="space-y-5 text-sm">
      <p>{progress.proofLead}</p>
      <Part title={progress.key}>
        <span className="break-all font-mono">{query.data.key}</span>
      </Part>
      <Asked asked={query.data.asked} networkName={networkName} />
      <Attempts attempts={query.data.attempts} />
      <Events events={query.data.events} />
      <Part title={progress.custody}>
        <CustodyTransfers transfers={query.data.custody} />
      </Part>
    </div>
  );
}

function Attempts({ attempts }: { attempts: WithdrawalProof['attempts'] }) {
  const words = useWords();
  return (
    <Part title={words.progress.attempts}>
      {attempts.length === 0 && <p className="text-muted">{words.progress.noAttempts}</p>}
      <ol className="space-y-2.5">
        {attempts.map((attempt) => (
          <li key={attempt.attempt} className="rounded-xl bg-raised p-3">
            <p className="font-medium">
              {words.progress.attempt(attempt.attempt)}: {words.code(attempt.kind)}
              {attempt.outcome === null ? '' : `, ${words.code(attempt.outcome)}`}
            </p>
            {attempt.sentAt !== null && <TimeText at={attempt.sentAt} className="text-muted" />}
            {attempt.bodySha256 !== null && (
              <p className="pt-1 text-muted">
                {words.progress.bytes}: <AddressText value={attempt.bodySha256} />
              </p>
            )}
          </li>
        ))}
      </ol>
    </Part>
  );
}

function Events({ events }: { events: WithdrawalProof['events'] }) {
  const { progress, code } = useWords();
  return (
    <Part title={progress.events}>
      {events.length === 0 && <p className="text-muted">{progress.noEvents}</p>}
      <ol className="space-y-1.5">
        {events.map((event) => (
          <li key={event.id}>
            <span className="font-medium">{code(event.type)}</span>{' '}
            <span className="text-muted">
              <TimeText at={event.receivedAt} />, {event.applied ? progress.applied : progress.ignored}
              {event.reason === null ? '' : `: ${code(event.reason)}`}
            </span>
          </li>
        ))}
      </ol>
    </Part>
  );
}

function Asked({ asked, networkName }: { asked: WithdrawalProof['asked']; networkName: string }) {
  const { progress } = useWords();
  return (
    <Part title={progress.asked}>
      <p>
        <Amount value={asked.amount} asset={asked.asset} /> {progress.askedFor(networkName)}{' '}
        <AddressText value={asked.address} />
        {asked.memo === null ? '' : ` (${asked.memo})`}
      </p>
    </Part>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="space-y-1.5">
      <h3 className="font-semibold">{title}</h3>
      {children}
    </section>
  );
}
