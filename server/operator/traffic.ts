import { randomBytes, randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Database } from '#server/db/database.ts';
import { logger } from '#server/logger.ts';
import { openTrafficCustomer, type TrafficCustomer } from '#server/operator/open-traffic-customer.ts';

export interface TrafficOrder {
  readonly perSecond: number;
  /** Of so many in a hundred the same request is sent again at the same time, under the same key. */
  readonly duplicatePercent: number;
  /** So many in a hundred are cancelled at once. */
  readonly cancelPercent: number;
}

export interface TrafficReport {
  readonly running: boolean;
  readonly order: TrafficOrder | null;
  readonly clicks: number;
  readonly sends: number;
  readonly accepted: number;
  readonly replayed: number;
  readonly refused: number;
  /** No answer of ours came back; the same key is simply sent again. */
  readonly unknown: number;
  readonly cancelled: number;
  readonly lastTrouble: string | null;
}

const NOTHING = { clicks: 0, sends: 0, accepted: 0, replayed: 0, refused: 0, unknown: 0, cancelled: 0 };
// A lost answer is asked for again under the same key, as our pages do; after these somebody looks at the worker.
const SENDS_MAX = 5;
const RESEND_MS = 500;
const CALL_TIMEOUT_MS = 8_000;
// A generator that somebody forgot ends before it fills the disk.
const LASTS_MS = 15 * 60_000;

const answerSchema = z.object({
  result: z.object({ data: z.object({ replayed: z.boolean(), withdrawal: z.object({ withdrawalId: z.string() }) }) }),
});
const refusalSchema = z.object({ error: z.object({ data: z.object({ refusal: z.object({ code: z.string() }) }) }) });

/** Customers of the demo who press and press: real requests by the real door, some twice, some taken back. */
export function createTraffic(options: { db: Database; webUrl: string }) {
  let count = { ...NOTHING };
  let order: TrafficOrder | null = null;
  let timer: NodeJS.Timeout | undefined;
  let end: NodeJS.Timeout | undefined;
  let lastTrouble: string | null = null;

  const stop = () => {
    clearInterval(timer);
    clearTimeout(end);
    timer = undefined;
  };

  async function send(customer: TrafficCustomer, key: string, body: object): Promise<string | null> {
    for (let tried = 1; tried <= SENDS_MAX; tried += 1) {
      count.sends += 1;
      const answer = await post(options.webUrl, customer, 'withdrawal.request', body, key).catch(() => null);
      const accepted = answerSchema.safeParse(answer);
      if (accepted.success) {
        const { replayed, withdrawal } = accepted.data.result.data;
        if (replayed) count.replayed += 1;
        else count.accepted += 1;
        return withdrawal.withdrawalId;
      }
      const refused = refusalSchema.safeParse(answer);
      const code = refused.success ? refused.data.error.data.refusal.code : 'no_answer';
      lastTrouble = code;
      if (refused.success && !['service_unavailable', 'outcome_unknown', 'rate_limited'].includes(code)) {
        count.refused += 1;
        return null;
      }
      count.unknown += 1;
      await new Promise((resolve) => setTimeout(resolve, RESEND_MS));
    }
    return null;
  }

  async function click(customer: TrafficCustomer, wanted: TrafficOrder): Promise<void> {
    count.clicks += 1;
    const key = randomUUID();
    // Nobody's, and new each time, so that custody's list and the chain can be counted by address.
    const address = `0x${randomBytes(20).toString('hex')}`;
    const body = { asset: 'USDC', network: 'ethereum', address, memo: null, amount: '1', clickedAt: Date.now() };
    const twice = Math.random() * 100 < wanted.duplicatePercent;
    const [withdrawalId] = await Promise.all([
      send(customer, key, body),
      ...(twice ? [send(customer, key, body), send(customer, key, body)] : []),
    ]);
    if (withdrawalId === null || withdrawalId === undefined || Math.random() * 100 >= wanted.cancelPercent) return;
    const answer = await post(options.webUrl, customer, 'withdrawal.cancel', { withdrawalId }, null).catch(() => null);
    if (JSON.stringify(answer).includes('"kind":"cancelled"')) count.cancelled += 1;
  }

  return {
    stop,
    report: (): TrafficReport => ({ running: timer !== undefined, order, ...count, lastTrouble }),
    async start(wanted: TrafficOrder): Promise<void> {
      stop();
      const customer = await openTrafficCustomer(options);
      count = { ...NOTHING };
      lastTrouble = null;
      order = wanted;
      timer = setInterval(() => {
        click(customer, wanted).catch((error: unknown) => logger().error('lab.click_failed', error, {}));
      }, 1_000 / wanted.perSecond);
      end = setTimeout(stop, LASTS_MS);
      timer.unref();
      end.unref();
    },
  };
}

async function post(webUrl: string, customer: TrafficCustomer, procedure: string, body: object, key: string | null) {
  const answer = await fetch(`${webUrl}/api/trpc/${procedure}`, {
    method: 'POST',
    headers: {
      cookie: customer.cookie,
      origin: webUrl,
      'content-type': 'application/json',
      ...(key === null ? {} : { 'idempotency-key': key }),
    },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(CALL_TIMEOUT_MS),
  });
  return (await answer.json()) as unknown;
}
