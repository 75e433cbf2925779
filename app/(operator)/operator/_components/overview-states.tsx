import Link from 'next/link';
import { durationText } from '../../../_components/duration-text.ts';
import { StatusBadge } from '../../../_components/status-badge.tsx';
import { classNames } from '../../../_components/ui/class-names.ts';
import { useOperatorWords } from '../../../_words/use-operator-words.ts';
import { useRoomWords } from '../../../_words/use-room-words.ts';
import { Cell, DataTable } from './data-table.tsx';
import type { Overview } from './room-types.ts';

/** Open withdrawals by status, the oldest of each against its limit. */
export function OverviewStates({ statuses }: { statuses: Overview['statuses'] }) {
  const operator = useOperatorWords();
  const { overview } = useRoomWords();
  const { statesHead: head } = overview;
  const columns = [
    head.status,
    { name: head.count, right: true as const },
    head.oldest,
    head.limit,
    { name: head.parked, right: true as const },
  ];
  return (
    <DataTable caption={overview.states} columns={columns} wide={false}>
      {statuses.map(({ status, count, oldestSeconds, limitSeconds, overdue, parked }) => (
        <tr key={status} className="hover:bg-raised">
          <Cell>
            <Link href={`/operator/withdrawals?status=${status}`} prefetch={false} className="hover:underline">
              <StatusBadge status={status} label={operator.status[status]} />
            </Link>
          </Cell>
          <Cell right className={count === 0 ? 'text-muted' : 'font-semibold'}>
            {count}
          </Cell>
          <Cell className={classNames('tabular-nums', overdue && 'font-semibold text-bad')}>
            {oldestSeconds === null ? '–' : durationText(oldestSeconds)}
            {overdue && `, ${operator.overdue}`}
            {oldestSeconds !== null && limitSeconds !== null && (
              <span aria-hidden="true" className="mt-1 block h-1.5 w-32 overflow-hidden rounded bg-line">
                <span
                  className={classNames('block h-full', overdue ? 'bg-bad' : 'bg-accent')}
                  style={{ width: `${Math.min(100, (100 * oldestSeconds) / limitSeconds)}%` }}
                />
              </span>
            )}
          </Cell>
          <Cell className="text-muted tabular-nums">{limitSeconds === null ? '–' : durationText(limitSeconds)}</Cell>
          <Cell right className={parked === 0 ? 'text-muted' : 'font-semibold text-warn'}>
            {parked}
          </Cell>
        </tr>
      ))}
    </DataTable>
  );
}
