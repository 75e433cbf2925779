import type { Budgets } from './state.ts';

/**
 * The rules of our protocol that a variant may weaken. The first value of each line is the protocol's own.
 * A safe variant changes none of them, except to show that a rule saves work and carries no guarantee.
 */
export interface Rules {
  readonly key: 'per_withdrawal' | 'per_attempt';
  readonly reference: 'from_key' | 'from_row';
  readonly intent: 'before_send' | 'after_send';
  readonly resultGuard: 'fence_and_status' | 'fence_only' | 'status_only';
  readonly timeoutMeans: 'in_doubt' | 'failed' | 'not_sent';
  readonly notSentLeadsTo: 'queued_if_sole' | 'queued';
  readonly laterMeans: 'nothing_made_by_contract' | 'nothing_made';
  readonly duplicateMeans: 'in_doubt' | 'refused';
  readonly refusalIsFinal: 'by_evidence' | 'always' | 'if_answer_says_kept' | 'if_sole';
  readonly notFoundMeans: 'wait_or_resend' | 'failed';
  readonly resendBytes: 'same' | 'new';
  readonly absence: 'after_not_after_and_lag' | 'after_not_after' | 'any_not_found';
  readonly control: 'required' | 'none';
  readonly proof: 'needs_no_fence' | 'needs_fence';
  readonly twoPeople: 'proof_of_absence' | 'fresh_not_found';
  readonly cancel: 'compare_and_set' | 'read_then_write';
  readonly claimRelease: 'compare_and_delete' | 'delete';
  readonly jobId: 'numbered_wake_up' | 'withdrawal_id';
  readonly hold: 'after_insert' | 'before_insert';
  readonly refusedKey: 'sticky' | 'asked_again';
  readonly newKey: 'after_give_up' | 'after_timeout';
  readonly custodyStatus: 'maximum' | 'assigned';
  readonly acknowledge: 'after_commit' | 'before_commit';
  readonly custodyFailure: 'when_final_and_dead' | 'when_said';
  readonly completion: 'final_effect' | 'first_inclusion';
  readonly postings: 'from_returned_rows' | 'from_given_rows';
  readonly denied: 'followed_with_case' | 'left_queued' | 'followed_in_silence';
  readonly late: 'once' | 'at_each_proof';
  readonly restart: 'walk_after_quiet_period' | 'walk_at_once' | 'no_walk';
  readonly restoreStopsWorkers: boolean;
  readonly notAfterEnds: 'inside_key_window' | 'after_key_window';
}

export const PROTOCOL: Rules = {
  key: 'per_withdrawal',
  reference: 'from_key',
  intent: 'before_send',
  resultGuard: 'fence_and_status',
  timeoutMeans: 'in_doubt',
  notSentLeadsTo: 'queued_if_sole',
  laterMeans: 'nothing_made_by_contract',
  duplicateMeans: 'in_doubt',
  refusalIsFinal: 'by_evidence',
  notFoundMeans: 'wait_or_resend',
  resendBytes: 'same',
  absence: 'after_not_after_and_lag',
  control: 'required',
  proof: 'needs_no_fence',
  twoPeople: 'proof_of_absence',
  cancel: 'compare_and_set',
  claimRelease: 'compare_and_delete',
  jobId: 'numbered_wake_up',
  hold: 'after_insert',
  refusedKey: 'sticky',
  newKey: 'after_give_up',
  custodyStatus: 'maximum',
  acknowledge: 'after_commit',
  custodyFailure: 'when_final_and_dead',
  completion: 'final_effect',
  postings: 'from_returned_rows',
  denied: 'followed_with_case',
  late: 'once',
  restart: 'walk_after_quiet_period',
  restoreStopsWorkers: true,
  notAfterEnds: 'inside_key_window',
};

/** What the world around us is like: custody's contract, the network, and which actors take part. */
export interface World extends Budgets {
  /** The search begins at the click; otherwise with an accepted row and its hold. */
  readonly acceptance: boolean;
  readonly fundsShortAtFirst: boolean;
  readonly approval: boolean;
  readonly cancel: boolean;
  /** Workers claim in Redis first; the claim may vanish and Redis may be flushed at any moment. */
  readonly redisClaim: boolean;
  readonly redeliveries: number;
  readonly attemptsMax: number;
  readonly answersMayBeLost: boolean;
  readonly permanentReference: boolean;
  readonly notAfterHonoured: boolean;
  readonly keysForgotten: boolean;
  readonly refusalsKept: boolean;
  /** Custody checks the business rules before it looks for a duplicate. */
  readonly validatesFirst: boolean;
  /** A repeated create is answered by an error instead of the transfer. */
  readonly duplicatesAnsweredByError: boolean;
  /** Custody's contract says that no proxy of theirs repeats a request. */
  readonly contractExcludesRepeats: boolean;
  readonly readLag: boolean;
  readonly webhooks: boolean;
  /** The transfer goes on to the chain; otherwise the search ends at `submitted`. */
  readonly settles: boolean;
  readonly custodyRestoreWhen: 'any_time' | 'nothing_under_way' | 'after_not_after';
  /** Whoever restores our database says so; otherwise only the walk over custody's list can find out. */
  readonly restoreIsKnown: boolean;
  readonly people: boolean;
  /** People can get custody's signed word, which also closes the reference for good. */
  readonly signedStatements: boolean;
}

export const PLAIN_WORLD: World = {
  acceptance: false,
  fundsShortAtFirst: false,
  approval: false,
  cancel: false,
  redisClaim: false,
  redeliveries: 1,
  attemptsMax: 2,
  answersMayBeLost: false,
  permanentReference: true,
  notAfterHonoured: false,
  keysForgotten: true,
  refusalsKept: false,
  validatesFirst: false,
  duplicatesAnsweredByError: false,
  contractExcludesRepeats: false,
  readLag: false,
  webhooks: false,
  settles: false,
  custodyRestoreWhen: 'any_time',
  restoreIsKnown: false,
  people: true,
  signedStatements: true,
  crashes: 0,
  clicks: 0,
  repeats: 0,
  connectionsRefused: 0,
  laters: 0,
  refusals: 0,
  failures: 0,
  stalls: 0,
  contradictions: 0,
  denials: 0,
  reorgs: 0,
  custodyRestores: 0,
  databaseRestores: 0,
};

export interface Setting {
  readonly rules: Rules;
  readonly world: World;
}
