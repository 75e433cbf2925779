import { CircleCheck, CircleX, Clock, LoaderCircle, SearchCheck, Undo2 } from 'lucide-react';
import type { WithdrawalStatus } from '#domain/withdrawal.ts';
import { classNames } from './ui/class-names.ts';

const LOOKS = {
  waiting: { look: 'bg-raised text-ink border-line', icon: Clock, turns: false },
  moving: { look: 'bg-accent-soft text-accent border-accent/25', icon: LoaderCircle, turns: true },
  checking: { look: 'bg-warn-soft text-warn border-warn/30', icon: SearchCheck, turns: false },
  done: { look: 'bg-good-soft text-good border-good/25', icon: CircleCheck, turns: false },
  returned: { look: 'bg-raised text-muted border-line', icon: Undo2, turns: false },
  refused: { look: 'bg-bad-soft text-bad border-bad/25', icon: CircleX, turns: false },
};

const LOOK_OF: Record<WithdrawalStatus, keyof typeof LOOKS> = {
  awaiting_approval: 'waiting',
  queued: 'waiting',
  dispatching: 'moving',
  in_doubt: 'checking',
  submitted: 'moving',
  broadcast: 'moving',
  completed: 'done',
  failed: 'refused',
  cancelled: 'returned',
  rejected: 'refused',
  refused: 'refused',
};

type StatusBadgeProps = { status: WithdrawalStatus; label: string; className?: string; 'data-testid'?: string };

/** A status as icon, word and colour. */
export function StatusBadge({ status, label, className, ...rest }: StatusBadgeProps) {
  const { look, icon: Icon, turns } = LOOKS[LOOK_OF[status]];
  return (
    <span
      data-status={status}
      className={classNames(
        'inline-flex items-center gap-1.5 whitespace-nowrap rounded-full border px-2.5 py-1 font-medium text-xs',
        look,
        className,
      )}
      {...rest}
    >
      <Icon aria-hidden="true" className={classNames('size-3.5', turns && 'motion-safe:animate-spin')} />
      {label}
    </span>
  );
}
