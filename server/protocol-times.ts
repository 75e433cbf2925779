/** Every time of the protocol, in milliseconds. Decisions compare them with the database's clock, never with ours. */
export interface ProtocolTimes {
  /** What custody promises: no request of theirs lives longer. */
  readonly custodyRequestMaxMs: number;
  /** Our hard time-out of one request to custody. */
  readonly custodyTimeoutMs: number;
  /** How long BullMQ lets a silent worker keep a job, and how long a row may be `dispatching` without a word. */
  readonly jobLockMs: number;
  /** Before this has passed since a send, "not found" means nothing. */
  readonly quietPeriodMs: number;
  /** From the claim until custody must refuse the bytes of that claim. */
  readonly notAfterMs: number;
  /** How long custody must remember an idempotency key. */
  readonly keyWindowMs: number;
  /** Life of the *processing* value in Redis. */
  readonly claimMs: number;
  /** Life of a completed result in Redis. */
  readonly claimCompletedMs: number;
  /** Life of a failed result in Redis. */
  readonly claimFailedMs: number;
  /** How long an enqueue or a claim waits for Redis. */
  readonly redisDeadlineMs: number;
  /** How long a relay owns the outbox rows it took. */
  readonly outboxLeaseMs: number;
  /** How long the relay loop sleeps when nothing is waiting and nobody nudges it. */
  readonly outboxIdleMs: number;
  /** How long the sweeper sleeps. */
  readonly sweepIntervalMs: number;
  /** A due row that was woken less than this ago is not woken again. */
  readonly wakeRepeatMs: number;
  /** A row that its own loop has left lying for so long is woken through the queue as well. */
  readonly overdueMs: number;
  /** How long the resolver loop sleeps. */
  readonly resolverIdleMs: number;
  /** How long one resolution owns its row. */
  readonly resolveLeaseMs: number;
  /** First wait after a look-up that failed or a send that custody put off; doubled each time. */
  readonly backoffFirstMs: number;
  /** The longest such wait. */
  readonly backoffMaxMs: number;
  /** First look at a transfer that custody has and that no webhook told us more about. */
  readonly pollFirstMs: number;
  /** The longest wait between two such looks. */
  readonly pollMaxMs: number;
  /** Between two look-ups of a parked row. */
  readonly parkedLookUpMs: number;
  /** How long custody may leave a transfer unconfirmed on a network that we do not read before people are asked. */
  readonly unreadEndMs: number;
  /** How long the inbox loop sleeps when no event is due and nobody nudges it. */
  readonly inboxIdleMs: number;
  /** First wait of an event that came before our row knew its transfer; doubled each time. */
  readonly inboxRetryFirstMs: number;
  /** The longest such wait. */
  readonly inboxRetryMaxMs: number;
  /** An event that nobody can place for so long becomes a discrepancy. */
  readonly inboxParkedMaxMs: number;
  /** How far a webhook's time may lie from ours, before and after. */
  readonly webhookToleranceMs: number;
  /** Between two comparisons of our books with custody's and the chain's. */
  readonly reconcileIntervalMs: number;
  /** How far back a comparison walks custody's list. */
  readonly reconcileWindowMs: number;
  /** How far back the walk at a start goes: further than the oldest copy that anybody would restore. */
  readonly memoryWindowMs: number;
  /** How often a worker writes down that somebody is there to remember. */
  readonly aliveIntervalMs: number;
  /** Between two looks at the head of the chain. */
  readonly chainPollMs: number;
  /** How long a stopping worker may finish what it holds. */
  readonly shutdownGraceMs: number;
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

const PRODUCTION: ProtocolTimes = {
  custodyRequestMaxMs: 20 * SECOND,
  // Longer than custody's own limit, so that a late success is seen as success.
  custodyTimeoutMs: 25 * SECOND,
  // Longer than our time-out, so that a second delivery finds the first one's answer and not its silence.
  jobLockMs: 30 * SECOND,
  // Longer than the job's lock: whoever still held the job has stopped sending when "not found" begins to count.
  quietPeriodMs: 40 * SECOND,
  // Room for several copies of the same bytes; short against a restore of custody's database from a backup.
  notAfterMs: 10 * MINUTE,
  keyWindowMs: 24 * HOUR,
  // As long as the job's lock: a dead worker's claim must not outlive its job.
  claimMs: 30 * SECOND,
  // An hour: duplicates of a job come within minutes, and the row answers everything after that.
  claimCompletedMs: HOUR,
  // Shorter: a failure is looked at by people, who should see the row and not its shadow.
  claimFailedMs: 5 * MINUTE,
  // A hundred times what a healthy Redis needs, and a wait that nobody in front of a screen takes for a hang.
  redisDeadlineMs: SECOND,
  outboxLeaseMs: 5 * SECOND,
  // The web process relays its own rows, so the loop is only the net.
  outboxIdleMs: 2 * SECOND,
  sweepIntervalMs: 2 * SECOND,
  // The queue drains thousands a second; what has not run after this was lost with Redis.
  wakeRepeatMs: 15 * SECOND,
  overdueMs: MINUTE,
  resolverIdleMs: SECOND,
  // Two look-ups at our full time-out.
  resolveLeaseMs: MINUTE,
  backoffFirstMs: SECOND,
  backoffMaxMs: MINUTE,
  // Webhooks come within a second; the first look must not be the faster way.
  pollFirstMs: 15 * SECOND,
  pollMaxMs: 5 * MINUTE,
  parkedLookUpMs: 5 * MINUTE,
  // A dozen blocks of a slow network, as the age limit of what was broadcast.
  unreadEndMs: 30 * MINUTE,
  // The web process applies what it stored, so the loop is only the net.
  inboxIdleMs: 2 * SECOND,
  inboxRetryFirstMs: SECOND,
  inboxRetryMaxMs: 5 * MINUTE,
  inboxParkedMaxMs: 2 * HOUR,
  // The tolerance that the Standard Webhooks specification names.
  webhookToleranceMs: 5 * MINUTE,
  reconcileIntervalMs: 5 * MINUTE,
  reconcileWindowMs: 24 * HOUR,
  memoryWindowMs: 7 * 24 * HOUR,
  // A restart of a worker takes less than three of them.
  aliveIntervalMs: 5 * SECOND,
  // Below the block time of every network we read.
  chainPollMs: SECOND,
  // Longer than our time-out to custody, so that a request in flight can still be recorded.
  shutdownGraceMs: 28 * SECOND,
};

/** The same order at a twentieth of the time, so that a proof with thousands of faults ends in minutes. */
const PROOF: ProtocolTimes = {
  ...PRODUCTION,
  custodyRequestMaxMs: SECOND,
  custodyTimeoutMs: 1_200,
  jobLockMs: 1_500,
  quietPeriodMs: 2 * SECOND,
  notAfterMs: 10 * SECOND,
  claimMs: 1_500,
  redisDeadlineMs: 300,
  outboxLeaseMs: 500,
  outboxIdleMs: 200,
  sweepIntervalMs: 250,
  wakeRepeatMs: 2 * SECOND,
  overdueMs: 3 * SECOND,
  resolverIdleMs: 200,
  resolveLeaseMs: 3 * SECOND,
  backoffFirstMs: 200,
  backoffMaxMs: 2 * SECOND,
  pollFirstMs: SECOND,
  pollMaxMs: 3 * SECOND,
  parkedLookUpMs: 3 * SECOND,
  unreadEndMs: 12 * SECOND,
  inboxIdleMs: 200,
  inboxRetryFirstMs: 200,
  inboxRetryMaxMs: 2 * SECOND,
  inboxParkedMaxMs: MINUTE,
  reconcileIntervalMs: 5 * SECOND,
  aliveIntervalMs: 500,
  chainPollMs: 200,
  shutdownGraceMs: 2 * SECOND,
};

/** The preset of that name, its order checked. @throws Error naming the pair that is out of order */
export function readProtocolTimes(preset: 'production' | 'proof'): ProtocolTimes {
  const times = preset === 'proof' ? PROOF : PRODUCTION;
  const broken = findBrokenOrder(times);
  if (broken !== null) throw new Error(`protocol times (${preset}): ${broken}`);
  return times;
}

/** Each must be shorter than the next, or the guarantee that rests on the pair is gone. */
const ORDER = [
  'custodyRequestMaxMs',
  'custodyTimeoutMs',
  'jobLockMs',
  'quietPeriodMs',
  'notAfterMs',
  'keyWindowMs',
] as const satisfies readonly (keyof ProtocolTimes)[];

/** The first pair of times that is out of order, in words; null when all is well. */
export function findBrokenOrder(times: ProtocolTimes): string | null {
  for (const [index, name] of ORDER.entries()) {
    const next = ORDER[index + 1];
    if (next !== undefined && times[name] >= times[next]) return `${name} must be shorter than ${next}`;
  }
  if (times.claimMs < times.custodyTimeoutMs) return 'claimMs must be no shorter than custodyTimeoutMs';
  // The last copy of some bytes must be answered before custody may forget their key.
  if (times.notAfterMs + times.quietPeriodMs >= times.keyWindowMs) return 'notAfterMs must end inside keyWindowMs';
  return null;
}

/** What custody declares about itself must fit the times we run with: null, or what does not fit, in words. */
export function findUnfitCustody(
  times: ProtocolTimes,
  declared: { readonly maxRequestMs: number; readonly readLagMs: number; readonly keyWindowMs: number },
): string | null {
  if (declared.maxRequestMs >= times.custodyTimeoutMs) return 'custody lets a request live longer than our time-out';
  if (declared.readLagMs >= times.notAfterMs) return 'custody shows a transfer later than our not-after';
  if (declared.keyWindowMs <= times.notAfterMs + times.quietPeriodMs)
    return 'custody forgets a key before our not-after';
  return null;
}

/** The wait before try number `tries` + 1: doubled each time, with a ceiling. */
export function backoffMs(firstMs: number, maxMs: number, tries: number): number {
  return Math.min(maxMs, firstMs * 2 ** Math.min(tries, 20));
}
