'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { AddressText } from '../../../_components/address-text.tsx';
import { AnswerAge } from '../../../_components/answer-age.tsx';
import { CountDown } from '../../../_components/count-down.tsx';
import { LeadHeading } from '../../../_components/lead-heading.tsx';
import { LoadTrouble } from '../../../_components/load-trouble.tsx';
import { Reference } from '../../../_components/reference.tsx';
import { dayTime } from '../../../_components/time-text.tsx';
import { Button } from '../../../_components/ui/button.tsx';
import { Notice } from '../../../_components/ui/notice.tsx';
import { Skeleton } from '../../../_components/ui/skeleton.tsx';
import type { AddressEntry, NetworkView } from '../../../_trpc/api-types.ts';
import { readReference } from '../../../_trpc/read-api-error.ts';
import { useTRPC } from '../../../_trpc/trpc-provider.tsx';
import { useAccountWords } from '../../../_words/use-account-words.ts';
import { useAddressCheck } from '../../withdraw/_components/use-address-check.ts';
import { AddressForm } from './address-form.tsx';
import { AllowListSwitch } from './allow-list-switch.tsx';

/** Saved destinations, each with its hold, and the switch that allows no others. */
export function AddressesPage() {
  const { addresses: words } = useAccountWords();
  const trpc = useTRPC();
  const query = useQuery({ ...trpc.addressBook.list.queryOptions(), refetchOnMount: 'always' });
  const book = query.data;
  const assets = useQuery({ ...trpc.asset.list.queryOptions(), staleTime: 60_000 });
  const networks = assets.data?.assets.flatMap((asset) => asset.networks) ?? [];
  return (
    <div className="mx-auto max-w-3xl space-y-5">
      <LeadHeading title={words.title} lead={words.lead}>
        <AnswerAge query={query} />
      </LeadHeading>
      {book !== undefined && book.frozenUntil !== null && (
        <Notice tone="warn" title={words.frozen(dayTime(book.frozenUntil))} />
      )}
      <section
        aria-label={words.list}
        aria-busy={query.isPending}
        className="overflow-hidden rounded-2xl border border-line bg-surface"
      >
        <h2 className="border-line border-b px-5 py-3.5 font-semibold sm:px-6">{words.list}</h2>
        {query.isPending && <Skeleton className="m-5 h-40" />}
        {query.isError && book === undefined && <LoadTrouble error={query.error} onRetry={() => query.refetch()} />}
        {book?.entries.length === 0 && <p className="px-5 py-8 text-center text-muted sm:px-6">{words.empty}</p>}
        <ul className="divide-y divide-line">
          {book?.entries.map((entry) => (
            <Entry
              key={entry.addressId}
              entry={entry}
              network={networks.find(({ networkId }) => networkId === entry.network) ?? null}
            />
          ))}
        </ul>
      </section>
      {book !== undefined && <AllowListSwitch isOn={book.allowListOn} offAt={book.allowListOffAt} />}
      <AddressForm />
    </div>
  );
}

function Entry({ entry, network }: { entry: AddressEntry; network: NetworkView | null }) {
  const { addresses: words } = useAccountWords();
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const refresh = useCallback(
    () => queryClient.invalidateQueries({ queryKey: trpc.addressBook.list.queryKey() }),
    [queryClient, trpc],
  );
  // Kept in the plain form of its network; shown with the checksum that people compare.
  const check = useAddressCheck(network?.family ?? null, entry.address);
  const shown = check?.result.kind === 'ok' ? check.result.address.display : entry.address;
  const remove = useMutation(trpc.addressBook.remove.mutationOptions({ onSettled: refresh }));
  return (
    <li className="grid gap-x-6 gap-y-2 px-5 py-4 sm:grid-cols-[minmax(0,1fr)_auto] sm:items-start sm:px-6">
      <div className="min-w-0 space-y-1">
        <h3 className="flex flex-wrap items-baseline gap-x-2 font-semibold">
          {entry.label} <span className="font-normal text-muted text-sm">{network?.name ?? entry.network}</span>
        </h3>
        <AddressText value={shown} className="leading-7" />
        {entry.memo !== null && (
          <p className="text-sm">
            {words.memo}: <span className="font-mono">{entry.memo}</span>
          </p>
        )}
        <p className={entry.usable ? 'font-medium text-good text-sm' : 'font-medium text-sm text-warn'}>
          {entry.usable ? words.usable : <CountDown until={entry.usableFrom} wrap={words.usableIn} onEnd={refresh} />}
        </p>
        {remove.isError && (
          <div role="alert">
            <p className="text-bad text-sm">{words.failed}</p>
            <Reference id={readReference(remove.error)} />
          </div>
        )}
      </div>
      <Button
        busy={remove.isPending}
        aria-label={words.removeWhat(entry.label)}
        onClick={() => {
          if (!remove.isPending) remove.mutate({ addressId: entry.addressId });
        }}
      >
        {words.remove}
      </Button>
    </li>
  );
}
