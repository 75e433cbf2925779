import Link from 'next/link';
import { Amount } from '../../../_components/amount.tsx';
import { durationText } from '../../../_components/duration-text.ts';
import { StatusBadge } from '../../../_components/status-badge.tsx';
import { TimeText } from '../../../_components/time-text.tsx';
import { classNames } from '../../../_components/ui/class-names.ts';
import { ScrollFrame } from '../../../_components/ui/scroll-frame.tsx';
import type { OperatorListItem } from '../../../_trpc/api-types.ts';
import { useOperatorWords } from '../../../_words/use-operator-words.ts';
import { useWords } from '../../../_words/use-words.ts';

/** Withdrawals with their age against the limit of their status. On a phone it scrolls inside its own frame. */
export function WithdrawalTable({ items, caption }: { items: OperatorListItem[]; caption: string }) {
  const operator = useOperatorWords();
  const { columns } = operator;
  const head = [columns.withdrawal, columns.customer, columns.status, columns.age, columns.attempts, columns.requested];
  return (
    <ScrollFrame label={caption}>
      <table className="w-full min-w-200 text-left text-sm">
        <caption className="sr-only">{caption}</caption>
        <thead className="border-line border-b text-muted text-xs">
          <tr>
            {head.map((name) => (
              <th key={name} scope="col" className="px-4 py-3 font-medium">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {items.map((item) => (
            <Row key={item.withdrawalId} item={item} />
          ))}
        </tbody>
      </table>
    </ScrollFrame>
  );
}

function Row({ item }: { item: OperatorListItem }) {
  const words = useWords();
  const operator = useOperatorWords();
  return (
    <tr className="hover:bg-raised">
      <td className="px-4 py-3">
        <Link
          href={`/operator/withdrawals/${item.withdrawalId}`}
          prefetch={false}
          className="font-medium text-accent hover:underline"
        >
          <Amount value={item.amount} asset={item.asset} />
        </Link>
        <span className="block font-mono text-muted text-xs">{item.withdrawalId}</span>
      </td>
      <td className="px-4 py-3">{item.customerEmail}</td>
      <td className="px-4 py-3">
        <StatusBadge status={item.status} label={operator.status[item.status]} />
        {item.parkedReason !== null && (
          <span className="block pt-1 text-warn text-xs">
            {operator.parked}: {words.code(item.parkedReason)}
          </span>
        )}
        {item.parkedReason === null && item.waitReason !== null && (
          <span className="block pt-1 text-muted text-xs">{words.code(item.waitReason)}</span>
        )}
      </td>
      <td className={classNames('px-4 py-3 tabular-nums', item.overdue && 'font-semibold text-bad')}>
        {durationText(item.ageSeconds)}
        <span className={classNames('block text-xs', item.overdue ? 'text-bad' : 'text-muted')}>
          {item.ageLimitSeconds !== null && operator.ofLimit(durationText(item.ageLimitSeconds))}
          {item.overdue && `, ${operator.overdue}`}
        </span>
      </td>
      <td className="px-4 py-3 tabular-nums">{item.attempts}</td>
      <td className="whitespace-nowrap px-4 py-3 text-muted">
        <TimeText at={item.requestedAt} />
      </td>
    </tr>
  );
}
