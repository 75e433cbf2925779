import { z } from 'zod';
import type { Database, Statement } from '#server/db/database.ts';
import { reorgAfterBlock } from '#server/operator/reorg-after-block.ts';
import { createTraffic, type TrafficOrder, type TrafficReport } from '#server/operator/traffic.ts';
import { withDeadline } from '#server/queue/with-deadline.ts';
import type { WithdrawalQueue } from '#server/queue/withdrawal-queue.ts';

export interface LabFault {
  readonly id: string;
  readonly kind: string;
  /** How often it will still strike; null for as long as it stands. */
  readonly remaining: number | null;
  readonly applied: number;
}

export interface LabReport {
  /** Null where custody's laboratory does not answer. */
  readonly faults: readonly LabFault[] | null;
  readonly queuePaused: boolean | null;
  /** Whether a worker runs; null where nobody can start one from here. */
  readonly workerRuns: boolean | null;
  /** What is away just now, and until when; null where nobody can take it away from here. */
  readonly outages: readonly { readonly name: string; readonly until: string }[] | null;
  readonly traffic: TrafficReport;
}

/** What can be taken away for a while, and how: gone, so that nobody listens, or there and silent. */
const OUTAGES = { postgres: 'stop', custody: 'stop', redis: 'pause', chain: 'pause' } as const;
export const LAB_OUTAGES = [
  'postgres',
  'custody',
  'redis',
  'chain',
] as const satisfies readonly (keyof typeof OUTAGES)[];

/** Breaks the demo on purpose. Exists in demo mode only, and reaches nothing but this machine. */
export interface FaultLab {
  report(): Promise<LabReport>;
  setFault(order: { kind: string; count: number | null; share: number | null }): Promise<void>;
  clearFaults(): Promise<void>;
  /** Takes blocks back, with their transactions put into other ones. */
  reorgChain(depth: number): Promise<void>;
  /** Everything that Redis holds: jobs, claims, rates. */
  flushRedis(): Promise<void>;
  /** Workers take no further job until it is resumed. */
  pauseQueue(paused: boolean): Promise<void>;
  /** SIGKILL in the middle of whatever it does, or a fresh one. Resolves when it is gone, or ready. */
  killWorker(): Promise<void>;
  startWorker(): Promise<void>;
  /** The demo's custody signs by itself what a real one would be asked for in writing: that nothing was and will be made under this. */
  askStatement(reference: string): Promise<{ kind: 'signed'; body: string; signature: string } | { kind: 'exists' }>;
  /** One of our services is away and comes back by itself. Resolves when it is away, with the time at which it is brought back. */
  beginOutage(order: { what: (typeof LAB_OUTAGES)[number]; seconds: number }): Promise<{ until: string }>;
  /** Ends every session of ours in the database but the one that asks, in the middle of whatever it does. */
  endSessions(): Promise<void>;
  startTraffic(order: TrafficOrder): Promise<void>;
  stopTraffic(): void;
}

const CALL_TIMEOUT_MS = 3_000;
const faultsSchema = z.object({
  data: z.array(z.object({ id: z.string(), kind: z.string(), remaining: z.number().nullable(), applied: z.number() })),
});

const rpcSchema = z.object({ result: z.unknown(), error: z.object({ message: z.string() }).optional() });
const signedSchema = z.object({ body: z.string(), signature: z.string() });

/** The lab, or null unless custody is on this machine: no laboratory is ever asked elsewhere. */
export function createFaultLab(options: {
  db: Database;
  queue: WithdrawalQueue;
  databaseUrl: string;
  redisUrl: string;
  custodyUrl: string;
  custodyApiKey: string;
  chainRpcUrl: string | null;
  /** Our own door, by which the traffic comes in like anybody's. */
  webUrl: string;
  /** Of whoever started the processes; null without one. */
  control: { readonly url: string; readonly token: string } | null;
}): FaultLab | null {
  const { queue, custodyUrl, chainRpcUrl } = options;
  if (!isLoopback(custodyUrl)) return null;
  const order = createOrders(options.control);
  const traffic = createTraffic({ db: options.db, webUrl: options.webUrl });
  const control = async (method: string, path: string, body?: object) => {
    const answer = await fetch(new URL(`/control${path}`, custodyUrl), {
      method,
      signal: AbortSignal.timeout(CALL_TIMEOUT_MS),
      ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`custody's laboratory answered ${answer.status}`);
    return answer.status === 204 ? null : await answer.json();
  };
  const requireHere = (url: string) => {
    if (!isLoopback(url)) throw new Error('the fault lab breaks nothing that is not on this machine');
  };
  const inTime = <Value>(work: Promise<Value>) => withDeadline(work, CALL_TIMEOUT_MS, 'redis');
  return {
    async report() {
      const [faults, queuePaused, stack] = await Promise.all([
        control('GET', '/faults').then(
          (answer) => faultsSchema.parse(answer).data,
          () => null,
        ),
        inTime(queue.bull.isPaused()).catch(() => null),
        order({ deed: 'list' }).then(
          (answer) => answer,
          () => null,
        ),
      ]);
      const workerRuns = stack?.processes.some(({ state }) => state === 'running') ?? null;
      return { faults, queuePaused, workerRuns, outages: stack?.outages ?? null, traffic: traffic.report() };
    },
    async setFault({ kind, count, share }) {
      await control('POST', '/faults', { kind, ...SETTINGS[kind], ...(count && { count }), ...(share && { share }) });
    },
    async clearFaults() {
      await control('DELETE', '/faults');
      await control('POST', '/clock', { offsetMs: 0 });
    },
    async reorgChain(depth) {
      if (chainRpcUrl === null || !isLoopback(chainRpcUrl))
        throw new Error('the fault lab needs a chain on this machine');
      await reorgAfterBlock((method, params) => askChain(chainRpcUrl, method, params), depth);
    },
    async flushRedis() {
      requireHere(options.redisUrl);
      await inTime(queue.redis.flushall());
    },
    async pauseQueue(paused) {
      await inTime(paused ? queue.bull.pause() : queue.bull.resume());
    },
    async killWorker() {
      await order({ deed: 'kill', name: WORKER, signal: 'SIGKILL' });
    },
    async startWorker() {
      await order({ deed: 'start', name: WORKER, env: {} });
    },
    async askStatement(reference) {
      const answer = await fetch(new URL('/v1/statements', custodyUrl), {
        method: 'POST',
        headers: { authorization: `Bearer ${options.custodyApiKey}`, 'content-type': 'application/json' },
        body: JSON.stringify({ externalId: reference }),
        signal: AbortSignal.timeout(CALL_TIMEOUT_MS),
      });
      if (answer.status === 409) return { kind: 'exists' };
      if (!answer.ok) throw new Error(`custody signed no statement: ${answer.status}`);
      const { body, signature } = signedSchema.parse(await answer.json());
      return { kind: 'signed', body, signature };
    },
    async beginOutage({ what, seconds }) {
      const answer = await order({ deed: 'outage', name: what, how: OUTAGES[what], forMs: seconds * 1_000 });
      const outage = answer?.outages.find(({ name }) => name === what);
      if (outage === undefined) throw new Error('nobody here can take a service away');
      return { until: outage.until };
    },
    async endSessions() {
      requireHere(options.databaseUrl);
      await options.db.query(endSessionsSql, []);
    },
    startTraffic: (order) => traffic.start(order),
    stopTraffic: () => traffic.stop(),
  };
}

async function askChain(url: string, method: string, params: readonly unknown[]): Promise<unknown> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    signal: AbortSignal.timeout(CALL_TIMEOUT_MS),
  });
  const { result, error } = rpcSchema.parse(await answer.json());
  if (error !== undefined) throw new Error(`${method}: ${error.message}`);
  return result;
}

/** What a fault needs besides being switched on, to be seen by somebody who watches. */
const SETTINGS: Readonly<Record<string, object>> = {
  refuse_connection: { forMs: 10_000 },
  clock_offset: { offsetMs: 30_000 },
  forget_since: { delayMs: 10_000 },
  restore_copy: { delayMs: 10_000 },
};

const endSessionsSql: Statement = {
  name: 'end_sessions_of_the_demo',
  text: `select count(pg_terminate_backend(a.pid)) from pg_stat_activity a
    where a.datname = current_database() and a.usename = current_user and a.pid <> pg_backend_pid()`,
};

const WORKER = 'worker';
/** A worker that starts looks through custody's list first. */
const ORDER_TIMEOUT_MS = 40_000;
const stackSchema = z.object({
  processes: z.array(z.object({ name: z.string(), state: z.string() })),
  outages: z.array(z.object({ name: z.string(), until: z.string() })),
});

/** Orders to whoever started the processes. Null answers: there is nobody to order. */
function createOrders(control: { readonly url: string; readonly token: string } | null) {
  const to = control !== null && isLoopback(control.url) ? control : null;
  return async (order: object) => {
    if (to === null) return null;
    const answer = await fetch(to.url, {
      method: 'POST',
      headers: { authorization: `Bearer ${to.token}`, 'content-type': 'application/json' },
      body: JSON.stringify(order),
      signal: AbortSignal.timeout(ORDER_TIMEOUT_MS),
    });
    const body: unknown = await answer.json();
    if (!answer.ok) throw new Error(`the stack refused: ${JSON.stringify(body)}`);
    return stackSchema.parse(body);
  };
}

function isLoopback(url: string): boolean {
  return ['localhost', '127.0.0.1', '[::1]'].includes(new URL(url).hostname);
}
