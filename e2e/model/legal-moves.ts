import { STATUSES, type State, type Status } from './state.ts';

/** One step of the protocol's diagram each. Three of them go back, each naming its evidence. */
const MOVES: Record<Status, readonly Status[]> = {
  none: ['refused', 'awaiting_approval', 'queued'],
  refused: [],
  awaiting_approval: ['queued', 'rejected', 'cancelled', 'in_doubt'],
  queued: ['dispatching', 'cancelled', 'in_doubt'],
  dispatching: ['submitted', 'queued', 'in_doubt'],
  in_doubt: ['submitted', 'dispatching', 'queued', 'failed'],
  submitted: ['broadcast', 'completed', 'failed'],
  broadcast: ['completed', 'failed'],
  completed: [],
  failed: [],
  cancelled: [],
  rejected: [],
};

/**
 * Evidence that jumps walks the legal path step by step in one transaction, so from here these are reached too; a refusal that is
 * final by contract goes by doubt, in which nothing else can come between.
 */
const BY_PROOF: Partial<Record<Status, readonly Status[]>> = {
  awaiting_approval: ['submitted', 'broadcast', 'completed'],
  queued: ['submitted', 'broadcast', 'completed'],
  dispatching: ['broadcast', 'completed', 'failed'],
  in_doubt: ['broadcast', 'completed'],
};

/** A restore replaces our memory instead of moving the row; what it may do to the money is checked in each state. */
export function isLegalMove(before: State, after: State): boolean {
  if (before.status === after.status || before.epoch !== after.epoch) return true;
  return MOVES[before.status].includes(after.status) || (BY_PROOF[before.status]?.includes(after.status) ?? false);
}

export function nameMove(from: Status, to: Status): string {
  return `${from} → ${to}`;
}

/** Every move of the diagram by name: a run in which one of them was never made has shown nothing about it. */
export function namesOfAllMoves(): readonly string[] {
  const moves: string[] = [];
  for (const from of STATUSES) for (const to of MOVES[from]) moves.push(nameMove(from, to));
  return moves;
}
