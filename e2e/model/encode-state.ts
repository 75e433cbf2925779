import type { State, Worker } from './state.ts';

const STATUS_CODES = {
  none: 0,
  refused: 1,
  awaiting_approval: 2,
  queued: 3,
  dispatching: 4,
  in_doubt: 5,
  submitted: 6,
  broadcast: 7,
  completed: 8,
  failed: 9,
  cancelled: 10,
  rejected: 11,
} as const;
const REVIEWS = { no: 0, attempts_spent: 1, control_missing: 2, bytes_unknown: 3 } as const;
const OUTCOMES = { in_doubt: 0, not_sent: 1, accepted: 2, refused: 3, absent: 4, lost: 5 } as const;
const STEPS = {
  idle: 0,
  has_job: 1,
  has_claim: 2,
  will_send: 3,
  waits: 4,
  has_answer: 5,
  will_look_up: 6,
  looked_up: 7,
} as const;
const ANSWERS = { '': 0, accepted: 1, refused: 2, later: 3, duplicate: 4, not_sent: 5, timeout: 6 } as const;
const LOOK_UPS = { '': 0, found: 1, refusal_recorded: 2, absent: 3, not_found: 4, control_missing: 5 } as const;
const TRANSFERS = { none: 0, accepted: 1, stalled: 2, broadcast: 3, dead: 4 } as const;
const MODES = { normal: 0, unproved: 1, look_up_only: 2 } as const;
const INCLUSIONS = { none: 0, included: 1, final: 2 } as const;
const BROWSERS = { before: 0, waiting: 1, done: 2 } as const;

/** Longer than any state's encoding: 15 fixed bytes, up to 8 attempts, two workers of 3 bytes, the copies under way. */
export const STATE_BYTES_MAX = 64;

/**
 * Writes a state as a few bytes, equal exactly when the states are, so that a million states fit in some ten megabytes.
 * Throws where a number outgrows its place, because two states under one key would silently cut the search short.
 * @returns how many bytes were written
 */
export function encodeState(state: State, bytes: Uint8Array): number {
  const left = state.left;
  bytes[0] = place(STATUS_CODES[state.status], 16) + 16 * REVIEWS[state.review] + 128 * bit(state.caseOpen);
  bytes[1] =
    place(state.held, 4) + 4 * place(state.posted, 4) + 16 * place(state.voided, 4) + 64 * place(state.late, 4);
  bytes[2] = place(state.epoch, 4) + 4 * MODES[state.mode] + 16 * place(state.jobs, 8) + 128 * bit(state.claimStolen);
  bytes[3] = state.claimHolder + 1 + 4 * place(state.transfersMade, 4) + 16 * TRANSFERS[state.transfer];
  bytes[4] = place(state.madeBy + 1, 256);
  bytes[5] =
    bit(state.contradicted) +
    2 * bit(state.keyKnown) +
    4 * bit(state.referenceKnown) +
    8 * bit(state.referenceClosed) +
    16 * bit(state.refusalRecorded) +
    32 * bit(state.visible) +
    64 * bit(state.memoryShort) +
    128 * bit(state.eventLost);
  bytes[6] = place(state.windowNewest, 8) + 8 * place(state.windowsPassed, 8);
  bytes[7] = place(state.windowsSettled, 8) + 8 * INCLUSIONS[state.inclusion] + 32 * BROWSERS[state.browser];
  bytes[8] =
    state.eventsAtSender + 4 * state.eventsInMemory + 16 * state.eventsInInbox + 64 * bit(state.customerStopped);
  bytes[9] =
    place(state.requests, 8) +
    8 * place(state.giveUps, 4) +
    32 * bit(state.fundsShort) +
    64 * bit(state.secondKey) +
    128 * bit(state.denies);
  bytes[10] = bit(state.cancelInHand) + 2 * place(left.crashes, 8) + 16 * place(left.clicks, 8);
  bytes[11] = place(left.repeats, 8) + 8 * place(left.connectionsRefused, 4) + 32 * place(left.laters, 4);
  bytes[12] =
    place(left.refusals, 4) + 4 * place(left.failures, 4) + 16 * place(left.stalls, 4) + 64 * place(left.reorgs, 4);
  bytes[13] =
    place(left.contradictions, 4) +
    4 * place(left.custodyRestores, 4) +
    16 * place(left.databaseRestores, 4) +
    64 * place(left.denials, 4);
  bytes[14] = place(state.attempts.length, 9);
  let at = 15;
  for (const attempt of state.attempts) bytes[at++] = OUTCOMES[attempt.outcome] + 8 * place(attempt.window, 8);
  at = encodeWorker(state.workers[0], bytes, at);
  at = encodeWorker(state.workers[1], bytes, at);
  for (const copy of state.network) bytes[at++] = place(copy, 256);
  if (at > STATE_BYTES_MAX) throw new Error(`The model's state outgrew its encoding: ${at} bytes.`);
  return at;
}

function encodeWorker(worker: Worker, bytes: Uint8Array, at: number): number {
  bytes[at] = STEPS[worker.step];
  if (worker.step === 'idle') return at + 1;
  bytes[at] = STEPS[worker.step] + 8 * bit(worker.current) + 16 * bit(worker.sole) + 32 * place(worker.epoch, 4);
  bytes[at + 1] = place(worker.attempt, 8) + 8 * place(worker.window, 8);
  bytes[at + 2] = ANSWERS[worker.answer] + 8 * LOOK_UPS[worker.lookUp];
  return at + 3;
}

function bit(flag: boolean): number {
  return flag ? 1 : 0;
}

function place(value: number, size: number): number {
  if (value < 0 || value >= size) throw new Error(`The model's state outgrew its encoding: ${value} of ${size}.`);
  return value;
}
