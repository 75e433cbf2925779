/**
 * Everything the model remembers about one withdrawal, its workers, the network, custody and the chain.
 *
 * The top level of a state is copied and then written; whatever it points to is never changed in place.
 */

export const STATUSES = [
  'none',
  'refused',
  'awaiting_approval',
  'queued',
  'dispatching',
  'in_doubt',
  'submitted',
  'broadcast',
  'completed',
  'failed',
  'cancelled',
  'rejected',
] as const;

export type Status = (typeof STATUSES)[number];

/** Why a row waits for people; `no` means that the machines still own it. */
export type Review = 'no' | 'attempts_spent' | 'control_missing' | 'bytes_unknown';

/** An outcome that was never written reads as `in_doubt`. `lost`: a restore took the attempt and its bytes from us. */
export type AttemptOutcome = 'in_doubt' | 'not_sent' | 'accepted' | 'refused' | 'absent' | 'lost';

export interface Attempt {
  readonly outcome: AttemptOutcome;
  /** Number of the not-after this attempt was sent under. */
  readonly window: number;
}

/** What a worker is told about its send. `duplicate` stands for duplicate, in progress, key reused and expired. */
export type Answer = 'accepted' | 'refused' | 'later' | 'duplicate' | 'not_sent' | 'timeout';

export type LookUp = 'found' | 'refusal_recorded' | 'absent' | 'not_found' | 'control_missing';

export type WorkerStep =
  | 'idle'
  | 'has_job'
  | 'has_claim'
  | 'will_send'
  | 'waits'
  | 'has_answer'
  | 'will_look_up'
  | 'looked_up';

export type WorkerId = 0 | 1;

export interface Worker {
  readonly step: WorkerStep;
  /** Does the row still carry the fence this worker took? Fences only grow, so a lost one never comes back. */
  readonly current: boolean;
  /** Which life of our database the worker read: a restore starts another. */
  readonly epoch: number;
  readonly attempt: number;
  readonly window: number;
  /** At its claim every earlier attempt was proved to have made nothing. The fence is what keeps this memory true. */
  readonly sole: boolean;
  readonly answer: Answer | '';
  readonly lookUp: LookUp | '';
}

export type TransferState = 'none' | 'accepted' | 'stalled' | 'broadcast' | 'dead';

export interface State {
  // Our row.
  status: Status;
  review: Review;
  attempts: readonly Attempt[];
  caseOpen: boolean;
  /** The case of a transfer that was proved absent is open, and this customer's further payouts wait for people. */
  customerStopped: boolean;
  // Our ledger, as the number of postings of each kind for this withdrawal.
  held: number;
  posted: number;
  voided: number;
  late: number;
  // Our database: which life it is in, and whether it may be older than the world.
  epoch: number;
  mode: 'normal' | 'unproved' | 'look_up_only';
  // Redis.
  jobs: number;
  claimHolder: WorkerId | -1;
  claimStolen: boolean;
  workers: readonly [Worker, Worker];
  /** Copies of create requests under way, sorted; see `copy.ts`. */
  network: readonly number[];
  // Custody.
  transfersMade: number;
  /** The copy that made the transfer, or -1. */
  madeBy: number;
  transfer: TransferState;
  contradicted: boolean;
  /** Its look-ups say that there is nothing, beyond any lag it has promised. */
  denies: boolean;
  keyKnown: boolean;
  referenceKnown: boolean;
  referenceClosed: boolean;
  refusalRecorded: boolean;
  visible: boolean;
  memoryShort: boolean;
  // Time, as custody's clock sees it: the newest not-after given out, those past, those past by more than the read lag.
  windowNewest: number;
  windowsPassed: number;
  windowsSettled: number;
  inclusion: 'none' | 'included' | 'final';
  // Webhooks, as bit sets of `EVENT`.
  eventsAtSender: number;
  eventsInMemory: number;
  eventsInInbox: number;
  eventLost: boolean;
  // The customer's browser.
  browser: 'before' | 'waiting' | 'done';
  requests: number;
  giveUps: number;
  fundsShort: boolean;
  secondKey: boolean;
  cancelInHand: boolean;
  left: Budgets;
}

/** How often each fault may still happen; without a bound the search would not end. */
export interface Budgets {
  readonly crashes: number;
  readonly clicks: number;
  readonly repeats: number;
  readonly connectionsRefused: number;
  readonly laters: number;
  readonly refusals: number;
  readonly failures: number;
  readonly stalls: number;
  readonly contradictions: number;
  readonly denials: number;
  readonly reorgs: number;
  readonly custodyRestores: number;
  readonly databaseRestores: number;
}

export const EVENT = { accepted: 1, broadcast: 2 } as const;

export const IDLE: Worker = {
  step: 'idle',
  current: false,
  epoch: 0,
  attempt: 0,
  window: 0,
  sole: false,
  answer: '',
  lookUp: '',
};

export const WORKER_IDS: readonly WorkerId[] = [0, 1];

const ENDS: ReadonlySet<Status> = new Set(['refused', 'completed', 'failed', 'cancelled', 'rejected']);
const ENDS_WITHOUT_TRANSFER: ReadonlySet<Status> = new Set(['refused', 'failed', 'cancelled', 'rejected']);
const PROVED: ReadonlySet<Status> = new Set(['submitted', 'broadcast', 'completed']);

export function isEnd(status: Status): boolean {
  return ENDS.has(status);
}

export function endsWithoutTransfer(status: Status): boolean {
  return ENDS_WITHOUT_TRANSFER.has(status);
}

export function isProved(status: Status): boolean {
  return PROVED.has(status);
}

/** A transfer that has left or can still leave. */
export function hasLiveTransfer(state: State): boolean {
  return state.transfersMade > 0 && state.transfer !== 'dead';
}

/** Custody's list and look-ups show the transfer. */
export function isShown(state: State): boolean {
  return state.transfersMade > 0 && state.visible && !state.memoryShort && !state.denies;
}

/** Every attempt is proved to have made nothing. */
export function nothingMayHaveBeenSent(attempts: readonly Attempt[]): boolean {
  return attempts.every((attempt) => attempt.outcome === 'not_sent' || attempt.outcome === 'absent');
}

/** Only attempts that may have been sent are counted: a refused connection parks nobody. */
export function attemptsCounted(attempts: readonly Attempt[]): number {
  return attempts.reduce((count, attempt) => count + (attempt.outcome === 'not_sent' ? 0 : 1), 0);
}

export function replaceWorker(workers: State['workers'], id: WorkerId, worker: Worker): State['workers'] {
  return id === 0 ? [worker, workers[1]] : [workers[0], worker];
}

/** Taking the fence: the other worker's writes no longer match the row. */
export function takeFence(workers: State['workers'], id: WorkerId, worker: Worker): State['workers'] {
  const other = workers[id === 0 ? 1 : 0];
  const outrun = other.current ? { ...other, current: false } : other;
  return id === 0 ? [worker, outrun] : [outrun, worker];
}

export function spend(left: Budgets, what: keyof Budgets): Budgets {
  return { ...left, [what]: left[what] - 1 };
}
