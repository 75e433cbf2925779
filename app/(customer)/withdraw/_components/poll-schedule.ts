import { isTerminal, type WithdrawalStatus } from '#domain/withdrawal.ts';

/** How a withdrawal's page asks for news: quick while steps follow each other, slow while blocks are counted. */
const FIRST_MS = 150; // A quiet system answers the first step in less than this.
const MOVING_MAX_MS = 2_000; // A person notices two seconds; more often would only cost.
const CONFIRMING_MS = 15_000; // About a block; confirmations do not come faster.

const CONFIRMING: ReadonlySet<WithdrawalStatus> = new Set(['broadcast', 'awaiting_approval']);
// Signed out, or not ours: asking again cannot change the answer.
const FINAL_HTTP_STATUSES: ReadonlySet<number> = new Set([401, 404]);

/**
 * Milliseconds until the next poll, or false to stop. `pollsInStatus` counts the answers since the status last changed;
 * `httpStatus` is that of a failed poll, null when the last one succeeded or nobody answered.
 */
export function nextPollDelayMs(input: {
  status: WithdrawalStatus | null;
  pollsInStatus: number;
  httpStatus: number | null;
}): number | false {
  if (input.httpStatus !== null && FINAL_HTTP_STATUSES.has(input.httpStatus)) return false;
  if (input.status !== null && isTerminal(input.status)) return false;
  if (input.status !== null && CONFIRMING.has(input.status)) return CONFIRMING_MS;
  return Math.min(FIRST_MS * 2 ** Math.min(input.pollsInStatus, 10), MOVING_MAX_MS);
}
