import type { State, Worker } from './state.ts';

const STATUSES = {
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

/**
 * One short string a state, equal exactly when the states are. Every character stays below 256, so the engine keeps one
 * byte a character: a million states fit in some hundred megabytes. Throws where a number outgrows its place,
 * because two states under one key would silently cut the search short.
 */
export function encodeState(state: State): string {
  const left = state.left;
  let key = String.fromCharCode(
    place(STATUSES[state.status], 16) + 16 * REVIEWS[state.review] + 128 * bit(state.caseOpen),
    place(state.held, 4) + 4 * place(state.posted, 4) + 16 * place(state.voided, 4) + 64 * place(state.late, 4),
    place(state.epoch, 4) + 4 * MODES[state.mode] + 16 * place(state.jobs, 8) + 128 * bit(state.claimStolen),
    state.claimHolder + 1 + 4 * place(state.transfersMade, 4) + 16 * TRANSFERS[state.transfer],
    state.madeBy + 1,
    bit(state.contradicted) +
      2 * bit(state.keyKnown) +
      4 * bit(state.referenceKnown) +
      8 * bit(state.referenceClosed) +
      16 * bit(state.refusalRecorded) +
      32 * bit(state.visible) +
      64 * bit(state.memoryShort) +
      128 * bit(state.eventLost),
    place(state.windowNewest, 8) + 8 * place(state.windowsPassed, 8),
    place(state.windowsSettled, 8) + 8 * INCLUSIONS[state.inclusion] + 32 * BROWSERS[state.browser],
    state.eventsAtSender + 4 * state.eventsInMemory + 16 * state.eventsInInbox,
    place(state.requests, 8) + 8 * place(state.giveUps, 4) + 32 * bit(state.fundsShort) + 64 * bit(state.secondKey),
    bit(state.cancelInHand) + 2 * place(left.crashes, 8) + 16 * place(left.clicks, 8),
    place(left.repeats, 8) + 8 * place(left.connectionsRefused, 4) + 32 * place(left.laters, 4),
    place(left.refusals, 4) + 4 * place(left.failures, 4) + 16 * place(left.stalls, 4) + 64 * place(left.reorgs, 4),
    place(left.contradictions, 4) + 4 * place(left.custodyRestores, 4) + 16 * place(left.databaseRestores, 4),
    state.attempts.length,
  );
  for (const attempt of state.attempts) key += String.fromCharCode(OUTCOMES[attempt.outcome] + 8 * attempt.window);
  key += encodeWorker(state.workers[0]) + encodeWorker(state.workers[1]);
  for (const copy of state.network) key += String.fromCharCode(copy);
  return key;
}

function encodeWorker(worker: Worker): string {
  if (worker.step === 'idle') return '\0';
  return String.fromCharCode(
    STEPS[worker.step] + 8 * bit(worker.current) + 16 * bit(worker.sole) + 32 * place(worker.epoch, 4),
    place(worker.attempt, 8) + 8 * place(worker.window, 8),
    ANSWERS[worker.answer] + 8 * LOOK_UPS[worker.lookUp],
  );
}

function bit(flag: boolean): number {
  return flag ? 1 : 0;
}

function place(value: number, size: number): number {
  if (value < 0 || value >= size) throw new Error(`The model's state outgrew its encoding: ${value} of ${size}.`);
  return value;
}
