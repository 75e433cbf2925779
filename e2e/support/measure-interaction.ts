import { chromium, type Page } from '@playwright/test';
import playwrightConfig from '../../playwright.config.ts';
import { freshAddress } from './chain.ts';
import { openFundedCustomer } from './customer.ts';
import { keepMeasure } from './keep-measure.ts';
import { stack } from './running-stack.ts';

// Measures interaction to next paint on the withdraw form, on a running stack that is otherwise at rest:
// `npm run measure -- interaction`, or `STACK_FILE=… node --import tsx e2e/support/measure-interaction.ts [rounds]`. Every key, choice and press is counted,
// from the event to the paint after it, as the browser's own Event Timing tells it.

const GOAL_MS = 100;
const ROUNDS = Number(process.argv[2] ?? 10);

const browser = await chromium.launch(playwrightConfig.use?.launchOptions);
const context = await browser.newContext({ baseURL: stack.urls.web });
await openFundedCustomer(context.request);
const page = await context.newPage();
await page.addInitScript(() => {
  const seen: [name: string, ms: number][] = [];
  Reflect.set(window, 'interactions', seen);
  // The type of the options does not know the threshold yet.
  const options = { type: 'event', buffered: true, durationThreshold: 16 };
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      if (Reflect.get(entry, 'interactionId') > 0) seen.push([entry.name, entry.duration]);
    }
    // 16 ms is the least that the browser tells; what is quicker is not in the list.
  }).observe(options);
});
const durations: [name: string, ms: number][] = [];
for (let round = 0; round < ROUNDS; round += 1) durations.push(...(await fillIn(page)));
await browser.close();
const sorted = durations.map(([, ms]) => ms).sort((left, right) => left - right);
const worst = durations.toSorted(([, left], [, right]) => right - left).slice(0, 3);
const middle = sorted[Math.floor(sorted.length / 2)] ?? 0;
const p98 = sorted[Math.floor(sorted.length * 0.98)] ?? 0;
process.stdout.write(
  `interaction to next paint on the form, ${ROUNDS} rounds, ${sorted.length} interactions of 16 ms or more: ` +
    `p50 ${middle} ms, p98 ${p98} ms, ` +
    `longest ${worst.map(([name, ms]) => `${name} ${ms} ms`).join(', ')}\n`,
);
keepMeasure({
  measured: 'interaction to next paint on the form',
  rounds: ROUNDS,
  interactionsOf16MsOrMore: sorted.length,
  p50Ms: middle,
  p98Ms: p98,
  longest: worst.map(([name, ms]) => ({ name, ms })),
});
// The 98th of a hundred is what the metric is defined by (https://web.dev/articles/inp).
process.exit(p98 < GOAL_MS ? 0 : 1);

/** Fills the form in by keys and presses, as a person does, with a complaint on the way, and goes to the review. */
async function fillIn(form: Page): Promise<[name: string, ms: number][]> {
  await form.goto('/withdraw');
  await form.getByRole('button', { name: 'Review withdrawal' }).click();
  await form.getByText('Please check these first').waitFor();
  await form.getByLabel('Asset', { exact: true }).focus();
  await form.keyboard.type('USDC');
  await form.getByLabel('Address', { exact: true }).click();
  await form.keyboard.type(freshAddress());
  await form.getByLabel('Amount', { exact: true }).click();
  await form.keyboard.type('1.234567');
  await form.getByRole('button', { name: 'Max', exact: true }).click();
  await form.getByLabel('Take it from the amount').click();
  await form.getByLabel('I pay it on top').click();
  const seen = await form.evaluate(async () => {
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    const interactions: unknown = Reflect.get(window, 'interactions');
    return JSON.stringify(interactions);
  });
  await form.getByRole('button', { name: 'Review withdrawal' }).click();
  await form.waitForURL(/\/withdraw\/review\//);
  return JSON.parse(seen);
}
