import type { WithdrawalStatus } from '#domain/withdrawal.ts';

/**
 * Which status may follow which. The database trigger holds the same table, and a test compares the two.
 * `refused` is written by insert only.
 */
export const LEGAL_TRANSITIONS: Readonly<Record<WithdrawalStatus, readonly WithdrawalStatus[]>> = {
  awaiting_approval: ['queued', 'rejected', 'cancelled', 'in_doubt'],
  // People reject what waits for them; what is approved already its customer alone takes back.
  queued: ['dispatching', 'cancelled', 'in_doubt'],
  // Not to failed: a refusal is final only by what a look-up shows, and goes by doubt.
  dispatching: ['submitted', 'queued', 'in_doubt'],
  in_doubt: ['submitted', 'dispatching', 'queued', 'failed'],
  submitted: ['broadcast', 'completed', 'failed'],
  broadcast: ['completed', 'failed'],
  completed: [],
  failed: [],
  cancelled: [],
  rejected: [],
  refused: [],
};

/** A withdrawal is born in one of these, and in no other. */
export const FIRST_STATUSES = ['awaiting_approval', 'queued', 'refused'] as const satisfies readonly WithdrawalStatus[];

/** The only moves back, each with the evidence without which it is a second payment waiting to happen. */
export const MOVES_BACK = [
  { from: 'dispatching', to: 'queued', evidence: 'not_sent' },
  { from: 'in_doubt', to: 'queued', evidence: 'proof_of_absence' },
  { from: 'in_doubt', to: 'dispatching', evidence: 'resend_rule' },
] as const satisfies readonly { from: WithdrawalStatus; to: WithdrawalStatus; evidence: string }[];

/** Whether one step leads from the first status to the second. */
export function mayFollow(from: WithdrawalStatus, to: WithdrawalStatus): boolean {
  return LEGAL_TRANSITIONS[from].includes(to);
}

/**
 * What evidence about a transfer may pass through. Claims, approvals and cancels are deeds, not evidence: a proof that
 * finds a row still queued leads over `in_doubt`, never over a claim that did not happen.
 */
const EVIDENCE_STEPS: Readonly<Partial<Record<WithdrawalStatus, readonly WithdrawalStatus[]>>> = {
  awaiting_approval: ['in_doubt'],
  queued: ['in_doubt'],
  dispatching: ['submitted', 'in_doubt'],
  in_doubt: ['submitted', 'failed'],
  submitted: ['broadcast', 'completed', 'failed'],
  broadcast: ['completed', 'failed'],
};

/**
 * The shortest legal path when evidence jumps, without the status it starts from; one history row for each step.
 * Equal statuses give an empty path, a status that no evidence leads to gives null.
 */
export function pathTo(from: WithdrawalStatus, to: WithdrawalStatus): readonly WithdrawalStatus[] | null {
  if (from === to) return [];
  if (mayFollow(from, to)) return [to];
  const seen = new Set<WithdrawalStatus>([from]);
  let paths: readonly (readonly WithdrawalStatus[])[] = [[]];
  while (paths.length > 0) {
    const longer: (readonly WithdrawalStatus[])[] = [];
    for (const path of paths) {
      for (const next of EVIDENCE_STEPS[path.at(-1) ?? from] ?? []) {
        if (next === to) return [...path, next];
        if (seen.has(next)) continue;
        seen.add(next);
        longer.push([...path, next]);
      }
    }
    paths = longer;
  }
  return null;
}
