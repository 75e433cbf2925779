import Link from 'next/link';
import { AddressText } from '../../../_components/address-text.tsx';
import { Amount } from '../../../_components/amount.tsx';
import { StatusBadge } from '../../../_components/status-badge.tsx';
import { TimeText } from '../../../_components/time-text.tsx';
import type { WithdrawalView } from '../../../_trpc/api-types.ts';
import { useWords } from '../../../_words/use-words.ts';

/** Withdrawals as rows on a desk and as cards on a phone; each opens its own page. */
export function WithdrawalRows({ items }: { items: WithdrawalView[] }) {
  const { status, history } = useWords();
  return (
    <ul className="divide-y divide-line">
      {items.map((item) => (
        <li key={item.withdrawalId}>
          <Link
            href={`/withdrawals/${item.withdrawalId}`}
            prefetch={false}
            className="grid gap-x-6 gap-y-1 px-5 py-3.5 hover:bg-raised sm:grid-cols-[minmax(0,1fr)_auto] sm:items-center sm:px-6"
          >
            <span className="flex flex-wrap items-baseline gap-x-2">
              <Amount value={item.amount} asset={item.asset} className="font-semibold" />
              <span className="text-muted text-sm">{item.networkName}</span>
            </span>
            <span className="sm:row-span-2">
              <StatusBadge status={item.status} label={status[item.status]} />
            </span>
            <span className="text-muted text-sm">
              {history.to} <AddressText value={item.address} />
              <span className="block text-xs">
                <TimeText at={item.requestedAt} />
              </span>
            </span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
