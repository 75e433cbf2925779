import { z } from 'zod';
import type { Database } from '#server/db/database.ts';
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
  readonly traffic: TrafficReport;
}

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
  startTraffic(order: TrafficOrder): Promise<void>;
  stopTraffic(): void;
}

const CALL_TIMEOUT_MS = 3_000;
const faultsSchema = z.object({
  data: z.array(z.object({ id: z.string(), kind: z.string(), remaining: z.number().nullable(), applied: z.number() })),
});

const signedSchema = z.object({ body: z.string(), signature: z.string() });

/** The lab, or null unless custody is on this machine: no laboratory is ever asked elsewhere. */
export function createFaultLab(options: {
  db: Database;
  queue: WithdrawalQueue;
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
  const inTime = <Value>(work: Promise<Value>) => withDeadline(work, CALL_TIMEOUT_MS, 'redis');
  return {
    async report() {
      const [faults, queuePaused, workerRuns] = await Promise.all([
        control('GET', '/faults').then(
          (answer) => faultsSchema.parse(answer).data,
          () => null,
        ),
        inTime(queue.bull.isPaused()).catch(() => null),
        order({ deed: 'list' }).then(
          (workers) => workers?.some(({ state }) => state === 'running') ?? null,
          () => null,
        ),
      ]);
      return { faults, queuePaused, workerRuns, traffic: traffic.report() };
    },
    async setFault({ kind, count, share }) {
      await control('POST', '/faults', { kind, ...(count && { count }), ...(share && { share }) });
    },
    async clearFaults() {
      await control('DELETE', '/faults');
    },
    async reorgChain(depth) {
      if (chainRpcUrl === null || !isLoopback(chainRpcUrl))
        throw new Error('the fault lab needs a chain on this machine');
      await fetch(chainRpcUrl, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'anvil_reorg', params: [depth, []] }),
        signal: AbortSignal.timeout(CALL_TIMEOUT_MS),
      });
    },
    async flushRedis() {
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
    startTraffic: (order) => traffic.start(order),
    stopTraffic: () => traffic.stop(),
  };
}

const WORKER = 'worker';
/** A worker that starts looks through custody's list first. */
const ORDER_TIMEOUT_MS = 40_000;
const processesSchema = z.object({ processes: z.array(z.object({ name: z.string(), state: z.string() })) });

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
    return processesSchema.parse(body).processes;
  };
}

function isLoopback(url: string): boolean {
  return ['localhost', '127.0.0.1', '[::1]'].includes(new URL(url).hostname);
}
