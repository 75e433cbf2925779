import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

const SLOT = Symbol.for('cryptoex.metrics');
const holder: typeof globalThis & { [SLOT]?: Metrics } = globalThis;

type Metrics = ReturnType<typeof createMetrics>;

/** The metrics of this process, made on first use: one set, however often a bundler copies this module. */
export function metrics(): Metrics {
  holder[SLOT] ??= createMetrics();
  return holder[SLOT];
}

let replays = 0;

/** Counts a withdrawal request by what it came to; every replay is a duplicate that was prevented. */
export function countRequest(outcome: 'accepted' | 'replayed' | 'refused'): void {
  if (outcome === 'replayed') replays += 1;
  metrics().requests.inc({ outcome });
}

/** Requests that this process answered with the withdrawal that was already there, and that nobody has written down yet. */
export function pendingReplays(): number {
  return replays;
}

/** The same, for whoever writes them down now. */
export function takeReplays(): number {
  const taken = replays;
  replays = 0;
  return taken;
}

/** They could not be written down. */
export function giveBackReplays(count: number): void {
  replays += count;
}

// From a quiet machine's 6 ms to the moment at which a page says "still working".
const LATENCY_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 8];

/** Every name that alert rules and the dashboard may use. A test compares them. */
function createMetrics() {
  const registry = new Registry();
  // The library looks every 10 ms for a loop that is late: a hundred wake-ups a second in a process at rest, half a per cent of a
  // core each. Looking every 200 ms it still finds whatever a person would notice.
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 200 });
  const registers = [registry];
  const gauge = <Label extends string = never>(name: string, help: string, labelNames: Label[] = []) =>
    new Gauge({ name, help, labelNames, registers });
  return {
    registry,
    requests: new Counter({
      name: 'withdrawal_requests_total',
      help: 'Withdrawal requests by what they came to; replayed ones are duplicates prevented at the door',
      labelNames: ['outcome'],
      registers,
    }),
    requestSeconds: new Histogram({
      name: 'withdrawal_request_seconds',
      help: 'From the call to its answer, for requests of a withdrawal',
      buckets: LATENCY_SECONDS,
      registers,
    }),
    webhooks: new Counter({
      name: 'custody_webhooks_total',
      help: 'Webhooks by what became of them; duplicates are kept once',
      labelNames: ['outcome'],
      registers,
    }),
    webhookLagSeconds: new Histogram({
      name: 'custody_webhook_lag_seconds',
      help: 'From what happened at custody, as its webhook says, to its application here',
      buckets: [0.05, 0.25, 1, 5, 30, 300, 3_600],
      registers,
    }),
    jobs: new Counter({
      name: 'withdrawal_jobs_total',
      help: 'Jobs taken from the queue, by whether they ended or threw',
      labelNames: ['outcome'],
      registers,
    }),
    jobSeconds: new Histogram({
      name: 'withdrawal_job_seconds',
      help: 'One job of a worker, the call to custody included',
      buckets: LATENCY_SECONDS,
      registers,
    }),
    dispatchSeconds: new Histogram({
      name: 'withdrawal_dispatch_seconds',
      help: 'From the acceptance of a withdrawal to custody’s yes, where the first job brought it',
      buckets: [...LATENCY_SECONDS, 30, 300],
      registers,
    }),
    openWithdrawals: gauge('withdrawals_open', 'Withdrawals that have not ended, by status', ['status']),
    oldestSeconds: gauge('withdrawals_oldest_seconds', 'Age of the oldest unparked withdrawal in a status', ['status']),
    overLimit: gauge('withdrawals_over_limit', '1 when the oldest in a status is older than its limit', ['status']),
    parked: gauge('withdrawals_parked', 'Withdrawals that wait for an operator'),
    outboxWaiting: gauge('outbox_waiting', 'Wake-ups that wait for the queue'),
    outboxOldestSeconds: gauge('outbox_oldest_seconds', 'Age of the oldest wake-up that is not in the queue'),
    inboxWaiting: gauge('inbox_waiting', 'Events that wait to be applied'),
    inboxOldestSeconds: gauge('inbox_oldest_seconds', 'Age of the oldest event that is not applied'),
    queueJobs: gauge('queue_jobs', 'Jobs in Redis by where they stand', ['place']),
    queueUp: gauge('queue_up', '1 when Redis answers'),
    lookUpsFailed: gauge('custody_look_ups_failed', 'Look-ups that failed in the last ten minutes'),
    repeatedSends: gauge(
      'withdrawal_repeated_sends',
      'Repeated sends of the last 24 hours that made no second transfer',
    ),
    duplicatesPrevented: gauge(
      'duplicates_prevented',
      'Second payouts that were stopped in the last 24 hours, by layer',
      ['layer'],
    ),
    sendingStopped: gauge('sending_stopped', '1 while nothing is sent at all, by reason', ['reason']),
    switchesOpen: gauge('switches_open', 'Pauses in force'),
    casesOpen: gauge('cases_open', 'Cases that wait for people'),
    findingsOpen: gauge('findings_open', 'Findings of the comparisons of books that nobody has closed'),
    chainSilentSeconds: gauge('chain_silent_seconds', 'Since the indexer wrote a block of a network', ['network']),
    chainHalted: gauge('chain_halted', '1 while a network is halted', ['network']),
    hotAvailable: gauge('hot_wallet_available', 'What custody can pay, in whole units', ['asset', 'network']),
    violations: gauge('invariant_violations', 'How many break a promise, when last counted', ['invariant']),
    checkAgeSeconds: gauge('invariant_check_age_seconds', 'Since a promise was last counted', ['invariant']),
    refreshedSeconds: gauge('metrics_refreshed_timestamp_seconds', 'When the gauges of the database were last read'),
  };
}
