import Link from 'next/link';
import { WITHDRAWAL_STATUSES, type WithdrawalStatus } from '#domain/withdrawal.ts';
import { classNames } from '../../../_components/ui/class-names.ts';
import { useOperatorWords } from '../../../_words/use-operator-words.ts';
import { countText } from './count-text.ts';

type StatusCountsProps = { counts: Partial<Record<WithdrawalStatus, number>> };

/** How many withdrawals are in each status; each opens the list of just those. */
export function StatusCounts({ counts }: StatusCountsProps) {
  const operator = useOperatorWords();
  return (
    <ul className="grid grid-cols-2 gap-2.5 sm:grid-cols-3 lg:grid-cols-6">
      {WITHDRAWAL_STATUSES.map((status) => {
        const count = counts[status] ?? 0;
        const alarming = status === 'in_doubt' && count > 0;
        return (
          <li key={status}>
            <Link
              href={`/operator/withdrawals?status=${status}`}
              prefetch={false}
              className={classNames(
                'block rounded-xl border px-4 py-3 hover:bg-raised',
                alarming ? 'border-warn/50 bg-warn-soft' : 'border-line bg-surface',
              )}
            >
              <span className={classNames('block font-semibold text-2xl tabular-nums', count === 0 && 'text-muted')}>
                {countText(count, status)}
              </span>
              <span className="text-muted text-sm">{operator.status[status]}</span>
            </Link>
          </li>
        );
      })}
    </ul>
  );
}
