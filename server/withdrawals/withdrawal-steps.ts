import { unreachable } from '#domain/invariant.ts';
import type { WithdrawalStatus } from '#domain/withdrawal.ts';
import type { Withdrawal } from '#server/withdrawals/withdrawal-row.ts';

export const STEPS = [
  'requested',
  'under_review',
  'sending',
  'on_the_network',
  'completed',
  'refused',
  'cancelled',
  'rejected',
  'failed',
] as const;

export type StepName = (typeof STEPS)[number];

export interface Step {
  readonly step: StepName;
  /** When it was reached; null for what is expected, and for a step whose time is not known yet. */
  readonly at: Date | null;
  readonly state: 'done' | 'current' | 'expected';
}

type Seen = Pick<Withdrawal, 'status' | 'requestedAt' | 'submittedAt' | 'broadcastAt' | 'endedAt'>;

/** The way of a withdrawal in the customer's words: what is behind, where it is, and what is still expected. */
export function stepsOf(withdrawal: Seen): readonly Step[] {
  const { current, isOver } = whereIs(withdrawal.status);
  const times: Readonly<Partial<Record<StepName, Date | null>>> = {
    requested: withdrawal.requestedAt,
    sending: withdrawal.submittedAt,
    on_the_network: withdrawal.broadcastAt,
    [isOver ? current : 'completed']: withdrawal.endedAt,
  };
  const way = wayTo(current, withdrawal);
  const place = way.indexOf(current);
  return way.map((step, index) => ({
    step,
    at: times[step] ?? null,
    state: index < place || (index === place && isOver) ? 'done' : index === place ? 'current' : 'expected',
  }));
}

function whereIs(status: WithdrawalStatus): { readonly current: StepName; readonly isOver: boolean } {
  switch (status) {
    case 'awaiting_approval':
      return { current: 'under_review', isOver: false };
    // In doubt is our word: for the customer it is being sent until evidence says otherwise.
    case 'queued':
    case 'dispatching':
    case 'in_doubt':
    case 'submitted':
      return { current: 'sending', isOver: false };
    case 'broadcast':
      return { current: 'on_the_network', isOver: false };
    case 'completed':
    case 'failed':
    case 'cancelled':
    case 'rejected':
    case 'refused':
      return { current: status, isOver: true };
    default:
      return unreachable(status);
  }
}

function wayTo(current: StepName, withdrawal: Seen): readonly StepName[] {
  switch (current) {
    case 'under_review':
      return ['requested', 'under_review', 'sending', 'on_the_network', 'completed'];
    case 'refused':
    case 'cancelled':
      return ['requested', current];
    case 'rejected':
      return ['requested', 'under_review', 'rejected'];
    case 'failed':
      return [
        'requested',
        ...(withdrawal.submittedAt === null ? [] : (['sending'] as const)),
        ...(withdrawal.broadcastAt === null ? [] : (['on_the_network'] as const)),
        'failed',
      ];
    default:
      return ['requested', 'sending', 'on_the_network', 'completed'];
  }
}
