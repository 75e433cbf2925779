import { Counter, collectDefaultMetrics, Registry } from 'prom-client';

const SLOT = Symbol.for('cryptoex.metrics');
interface Metrics {
  readonly registry: Registry;
  readonly requests: Counter<'outcome'>;
}
const holder: typeof globalThis & { [SLOT]?: Metrics } = globalThis;

/** The metrics of this process, made on first use: one set, however often a bundler copies this module. */
export function metrics(): Metrics {
  holder[SLOT] ??= createMetrics();
  return holder[SLOT];
}

/** Counts a withdrawal request by what it came to; every replay is a duplicate that was prevented. */
export function countRequest(outcome: 'accepted' | 'replayed' | 'refused'): void {
  metrics().requests.inc({ outcome });
}

function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const requests = new Counter({
    name: 'withdrawal_requests_total',
    help: 'Withdrawal requests by what they came to',
    labelNames: ['outcome'],
    registers: [registry],
  });
  return { registry, requests };
}
