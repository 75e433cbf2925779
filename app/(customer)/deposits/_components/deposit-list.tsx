import { CircleCheck, Clock } from 'lucide-react';
import { AddressText } from '../../../_components/address-text.tsx';
import { Amount } from '../../../_components/amount.tsx';
import { CopyButton } from '../../../_components/copy-button.tsx';
import { LoadTrouble } from '../../../_components/load-trouble.tsx';
import { TimeText } from '../../../_components/time-text.tsx';
import { classNames } from '../../../_components/ui/class-names.ts';
import { Skeleton } from '../../../_components/ui/skeleton.tsx';
import type { DepositAddressView, DepositView } from '../../../_trpc/api-types.ts';
import { useAccountWords } from '../../../_words/use-account-words.ts';
import type { useDeposits } from './use-deposits.ts';

type DepositListProps = { query: ReturnType<typeof useDeposits>['query']; networks: readonly DepositAddressView[] };

/** What has come in, the newest first: pending with its confirmations, or credited. */
export function DepositList({ query, networks }: DepositListProps) {
  const { deposits: words } = useAccountWords();
  const items = query.data?.items;
  const credited = items?.filter(({ status }) => status === 'credited').length ?? 0;
  const nameOf = (id: string) => networks.find(({ networkId }) => networkId === id)?.networkName ?? id;
  return (
    <section
      aria-labelledby="deposit-history"
      aria-busy={query.isPending}
      className="overflow-hidden rounded-2xl border border-line bg-surface"
    >
      <h2 id="deposit-history" className="px-5 pt-5 pb-3 font-semibold sm:px-6">
        {words.history}
      </h2>
      {query.isPending && <Skeleton className="m-5 h-24" />}
      {query.isError && items === undefined && <LoadTrouble error={query.error} onRetry={() => query.refetch()} />}
      {items?.length === 0 && <p className="px-5 pb-5 text-muted text-sm sm:px-6">{words.empty}</p>}
      <p role="status" className="sr-only">
        {items !== undefined && items.length > 0 && words.news(items.length - credited, credited)}
      </p>
      <ul className="divide-y divide-line">
        {items?.map((deposit) => (
          <DepositRow key={deposit.depositId} deposit={deposit} networkName={nameOf(deposit.network)} />
        ))}
      </ul>
    </section>
  );
}

function DepositRow({ deposit, networkName }: { deposit: DepositView; networkName: string }) {
  const { deposits: words } = useAccountWords();
  const { asset, amount, status, confirmations, confirmationsRequired: required, transactionHash } = deposit;
  const isCredited = status === 'credited';
  const shown = Math.min(confirmations, required);
  const Icon = isCredited ? CircleCheck : Clock;
  return (
    <li className="space-y-3 px-5 py-4 sm:px-6" data-testid="deposit" data-status={status}>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <p>
          <Amount value={amount} asset={asset} className="font-semibold" />
          <span className="block text-muted text-sm">{networkName}</span>
        </p>
        <div className="text-right">
          <span
            className={classNames(
              'inline-flex items-center gap-1.5 whitespace-nowrap rounded-full border px-2.5 py-1 font-medium text-xs tabular-nums',
              isCredited ? 'border-good/25 bg-good-soft text-good' : 'border-line bg-raised text-ink',
            )}
          >
            <Icon aria-hidden="true" className="size-3.5" />
            {isCredited ? words.credited : words.pending(shown, required)}
          </span>
          {!isCredited && shown < required && (
            <span className="block text-muted text-xs">{words.pendingMore(required - shown)}</span>
          )}
        </div>
      </div>
      <dl className="grid gap-x-6 gap-y-2 text-sm sm:grid-cols-2">
        <div>
          <dt className="text-muted text-xs">{words.seen}</dt>
          <dd>
            <TimeText at={deposit.seenAt} />
          </dd>
        </div>
        {deposit.creditedAt !== null && (
          <div>
            <dt className="text-muted text-xs">{words.credited}</dt>
            <dd>
              <TimeText at={deposit.creditedAt} />
            </dd>
          </div>
        )}
        <div className="sm:col-span-2">
          <dt className="text-muted text-xs">{words.transaction}</dt>
          <dd className="flex items-start gap-2">
            <AddressText value={transactionHash} className="min-w-0 text-xs" />
            <CopyButton text={transactionHash} what={words.transactionWhat} />
          </dd>
        </div>
      </dl>
    </li>
  );
}
