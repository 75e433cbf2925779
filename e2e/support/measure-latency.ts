import { randomUUID } from 'node:crypto';
import { request } from '@playwright/test';
import { waitUntil } from '#stack/wait-until.ts';
import { requestWithdrawal } from './api-call.ts';
import { freshAddress } from './chain.ts';
import { openFundedCustomer } from './customer.ts';
import { askDatabase } from './database.ts';
import { stack } from './running-stack.ts';

// Measures how long it takes from a click to the moment custody has the transfer, on a running stack that is otherwise at
// rest: `STACK_FILE=… node --import tsx e2e/support/measure-latency.ts [withdrawals, default 100]`.

const WITHDRAWALS = Number(process.argv[2] ?? 100);
// The first few find caches empty and connections closed; a quiet system is a warm one.
const WARM_UP = 10;
// Below what one customer may ask for in an hour without a person looking at it.
const PER_CUSTOMER = 15;
const SUBMITTED_WITHIN_MS = 30_000;

const TOOK = `
  select extract(epoch from submitted_at - clicked_at) * 1000 as took_ms from withdrawals where idempotency_key = $1`;

const latenciesMs: number[] = [];
for (let made = 0; made < WARM_UP + WITHDRAWALS; made += PER_CUSTOMER) {
  const browser = await request.newContext({ baseURL: stack.urls.web });
  await openFundedCustomer(browser);
  const count = Math.min(PER_CUSTOMER, WARM_UP + WITHDRAWALS - made);
  for (let index = 0; index < count; index += 1) latenciesMs.push(await clickOnce(browser));
  await browser.dispose();
}
const sorted = latenciesMs.slice(WARM_UP).sort((left, right) => left - right);
process.stdout.write(
  `click to submitted, ${sorted.length} withdrawals one after another: ` +
    `p50 ${percentile(sorted, 0.5)} ms, p95 ${percentile(sorted, 0.95)} ms, longest ${sorted.at(-1)} ms\n`,
);
process.exit(0);

/** One withdrawal as the page makes it. @returns milliseconds from `clicked_at` to `submitted_at` */
async function clickOnce(browser: Awaited<ReturnType<typeof request.newContext>>): Promise<number> {
  const key = randomUUID();
  const sound = { asset: 'USDC', network: 'ethereum', memo: null, amount: '1', address: freshAddress() };
  const answer = await requestWithdrawal(browser, { key, body: { ...sound, clickedAt: Date.now() } });
  if (answer.status !== 200) throw new Error(`the request was answered ${answer.status}: ${answer.text}`);
  let tookMs: number | null = null;
  await waitUntil(
    async () => {
      const [row] = await askDatabase<{ took_ms: string | null }>(TOOK, [key]);
      tookMs = row?.took_ms == null ? null : Math.round(Number(row.took_ms));
      return tookMs !== null;
    },
    { what: `the withdrawal ${key} was not submitted`, withinMs: SUBMITTED_WITHIN_MS },
  );
  return tookMs ?? Number.NaN;
}

function percentile(sortedMs: readonly number[], share: number): number {
  return sortedMs[Math.max(0, Math.ceil(sortedMs.length * share) - 1)] ?? Number.NaN;
}
