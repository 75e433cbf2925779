import { type BrowserContext, chromium } from '@playwright/test';
import { waitUntil } from '#stack/wait-until.ts';
import playwrightConfig from '../../playwright.config.ts';
import { freshAddress } from './chain.ts';
import { openFundedCustomer } from './customer.ts';
import { askDatabase } from './database.ts';
import { expectWithdrawalPage, openReview } from './review-page.ts';
import { stack } from './running-stack.ts';

// Measures how long it takes from a click in a browser to the moment custody has the transfer, on a running stack that is
// otherwise at rest: `npm run measure -- latency`, or `STACK_FILE=… node --import tsx e2e/support/measure-latency.ts [clicks]`.

const CLICKS = Number(process.argv[2] ?? 100);
// The first few find caches empty and connections closed; a quiet system is a warm one.
const WARM_UP = 10;
// Below what one customer may ask for in an hour without a person looking at it.
const PER_CUSTOMER = 15;
const SUBMITTED_WITHIN_MS = 30_000;

// The page takes the first time from its own clock as the press arrives, and sends it with the request.
const TOOK = `
  select extract(epoch from submitted_at - clicked_at) * 1000 as took_ms from withdrawals
  where lower(address) = lower($1)`;

const latenciesMs: number[] = [];
const browser = await chromium.launch(playwrightConfig.use?.launchOptions);
for (let made = 0; made < WARM_UP + CLICKS; made += PER_CUSTOMER) {
  const context = await browser.newContext({ baseURL: stack.urls.web });
  await openFundedCustomer(context.request);
  const count = Math.min(PER_CUSTOMER, WARM_UP + CLICKS - made);
  latenciesMs.push(...(await clickInARow(context, count)));
  await context.close();
}
await browser.close();
const sorted = latenciesMs.slice(WARM_UP).sort((left, right) => left - right);
process.stdout.write(
  `click in the page to submitted, ${sorted.length} withdrawals one after another: ` +
    `p50 ${percentile(sorted, 0.5)} ms, p95 ${percentile(sorted, 0.95)} ms, longest ${sorted.at(-1)} ms\n`,
);
process.exit(0);

/** So many withdrawals of one customer in one tab. @returns milliseconds from `clicked_at` to `submitted_at` of each */
async function clickInARow(context: BrowserContext, count: number): Promise<number[]> {
  const page = await context.newPage();
  const tookMs: number[] = [];
  for (let index = 0; index < count; index += 1) {
    const address = freshAddress();
    const button = await openReview(page, { address, amount: '1' });
    await button.click();
    await expectWithdrawalPage(page);
    tookMs.push(await waitForSubmitted(address));
  }
  return tookMs;
}

async function waitForSubmitted(address: string): Promise<number> {
  let tookMs: number | null = null;
  await waitUntil(
    async () => {
      const [row] = await askDatabase<{ took_ms: string | null }>(TOOK, [address]);
      tookMs = row?.took_ms == null ? null : Math.round(Number(row.took_ms));
      return tookMs !== null;
    },
    { what: `the withdrawal to ${address} was not submitted`, withinMs: SUBMITTED_WITHIN_MS },
  );
  return tookMs ?? Number.NaN;
}

function percentile(sortedMs: readonly number[], share: number): number {
  return sortedMs[Math.max(0, Math.ceil(sortedMs.length * share) - 1)] ?? Number.NaN;
}
