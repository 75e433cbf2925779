import Link from 'next/link';
import { Amount } from '../../../_components/amount.tsx';
import { durationText } from '../../../_components/duration-text.ts';
import { StatusBadge } from '../../../_components/status-badge.tsx';
import { TimeText } from '../../../_components/time-text.tsx';
import { classNames } from '../../../_components/ui/class-names.ts';
import type { OperatorListItem } from '../../../_trpc/api-types.ts';
import { useOperatorWords } from '../../../_words/use-operator-words.ts';
import { useWords } from '../../../_words/use-words.ts';
import { Cell, DataTable } from './data-table.tsx';

/** Withdrawals with their age against the limit of their status. */
export function WithdrawalTable({ items, caption }: { items: OperatorListItem[]; caption: string }) {
  const operator = useOperatorWords();
  const { columns } = operator;
  const head = [columns.withdrawal, columns.customer, columns.status, columns.age, columns.attempts, columns.requested];
  return (
    <DataTable caption={caption} columns={head}>
      {items.map((item) => (
        <Row key={item.withdrawalId} item={item} />
      ))}
    </DataTable>
  );
}

function Row({ item }: { item: OperatorListItem }) {
  const words = useWords();
  const operator = useOperatorWords();
  return (
    <tr className="hover:bg-raised">
      <Cell>
        <Link
          href={`/operator/withdrawals/${item.withdrawalId}`}
          prefetch={false}
          className="font-medium text-accent hover:underline"
        >
          <Amount value={item.amount} asset={item.asset} />
        </Link>
        <span className="block font-mono text-muted text-xs">{item.withdrawalId}</span>
      </Cell>
      <Cell>{item.customerEmail}</Cell>
      <Cell>
        <StatusBadge status={item.status} label={operator.status[item.status]} />
        {item.parkedReason !== null && (
          <span className="block pt-1 text-warn text-xs">
            {operator.parked}: {words.code(item.parkedReason)}
          </span>
        )}
        {item.parkedReason === null && item.waitReason !== null && (
          <span className="block pt-1 text-muted text-xs">{words.code(item.waitReason)}</span>
        )}
      </Cell>
      <Cell className={classNames('tabular-nums', item.overdue && 'font-semibold text-bad')}>
        {durationText(item.ageSeconds)}
        <span className={classNames('block text-xs', item.overdue ? 'text-bad' : 'text-muted')}>
          {item.ageLimitSeconds !== null && operator.ofLimit(durationText(item.ageLimitSeconds))}
          {item.overdue && `, ${operator.overdue}`}
        </span>
      </Cell>
      <Cell className="tabular-nums">{item.attempts}</Cell>
      <Cell className="whitespace-nowrap text-muted">
        <TimeText at={item.requestedAt} />
      </Cell>
    </tr>
  );
}
