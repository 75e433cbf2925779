import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import { z } from 'zod';
import { childEnvironment } from '#stack/child-environment.ts';
import { watchLife } from '#stack/life.mjs';
import { logWithTime } from '#stack/log-with-time.mjs';
import { runCommand } from '#stack/run-command.mjs';
import playwrightConfig from '../../playwright.config.ts';
import { openFundedCustomer } from './customer.ts';
import { keepMeasure } from './keep-measure.ts';
import { stack } from './running-stack.ts';

// Lighthouse on the customer's pages, desktop preset, median of three, on a running stack that is otherwise at rest:
// `npm run measure -- lighthouse`. It is fetched by npx at this version when it is asked for: a hundred megabytes that nothing else
// needs, and the last one that runs on our oldest Node.
const LIGHTHOUSE = 'lighthouse@12.8.2';
const ROUNDS = 3;
/** Now and then the browser records no beginning of the page load. That tells nothing of the page: Lighthouse asks to be run again. */
const TRIES = 4;
const PAGES = ['/withdraw', '/withdrawals', '/deposits', '/security'];
const CATEGORIES = ['performance', 'accessibility', 'best-practices'] as const;
const LEAST = 95;

const answerSchema = z.object({
  categories: z.record(z.enum(CATEGORIES), z.object({ score: z.number().nullable() })),
  audits: z.object({
    'largest-contentful-paint': z.object({ numericValue: z.number() }),
    'total-blocking-time': z.object({ numericValue: z.number() }),
    'cumulative-layout-shift': z.object({ numericValue: z.number() }),
  }),
});
type Answer = z.infer<typeof answerSchema>;

const log = logWithTime();
const life = watchLife({ log });
const folder = mkdtempSync(join(tmpdir(), 'lighthouse-'));
const launch = playwrightConfig.use?.launchOptions;
const browser = await chromium.launch(launch);
const context = await browser.newContext({ baseURL: stack.urls.web, locale: 'en-GB' });
await openFundedCustomer(context.request);
const cookies = (await context.cookies()).map(({ name, value }) => `${name}=${value}`).join('; ');
await browser.close();
const headers = join(folder, 'headers.json');
writeFileSync(headers, JSON.stringify({ Cookie: cookies }), { mode: 0o600 });

const pages: Record<string, Record<string, number>> = {};
for (const path of PAGES) {
  const answers: Answer[] = [];
  for (let round = 0; round < ROUNDS; round += 1) answers.push(await ask(path, round));
  pages[path] = {
    ...Object.fromEntries(
      CATEGORIES.map((name) => [
        name,
        Math.round(middle(answers.map(({ categories }) => categories[name].score ?? 0)) * 100),
      ]),
    ),
    largestContentfulPaintMs: Math.round(
      middle(answers.map(({ audits }) => audits['largest-contentful-paint'].numericValue)),
    ),
    totalBlockingTimeMs: Math.round(middle(answers.map(({ audits }) => audits['total-blocking-time'].numericValue))),
    cumulativeLayoutShift: middle(answers.map(({ audits }) => audits['cumulative-layout-shift'].numericValue)),
  };
  log(`${path} ${JSON.stringify(pages[path])}`);
}
rmSync(folder, { recursive: true });
keepMeasure({ measured: 'lighthouse', lighthouse: LIGHTHOUSE, preset: 'desktop', medianOf: ROUNDS, pages });
const isMet = Object.values(pages).every((page) => CATEGORIES.every((name) => (page[name] ?? 0) >= LEAST));
await life.end(isMet ? 0 : 1);

async function ask(path: string, round: number): Promise<Answer> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await look(path, round);
    } catch (error) {
      if (tried === TRIES || !String(error).includes('NO_NAVSTART')) throw error;
      log(`${path}: nothing was recorded, once more`);
    }
  }
}

async function look(path: string, round: number): Promise<Answer> {
  const file = join(folder, `${path.replaceAll('/', '')}-${round}.json`);
  await runCommand(
    { life },
    {
      command: 'npx',
      args: [
        '--yes',
        LIGHTHOUSE,
        new URL(path, stack.urls.web).href,
        // A browser of its own each time: whatever one look left behind, the next does not find.
        `--chrome-flags=--headless=new ${(launch?.args ?? []).join(' ')}`,
        '--preset=desktop',
        '--quiet',
        `--only-categories=${CATEGORIES.join(',')}`,
        `--extra-headers=${headers}`,
        '--output=json',
        `--output-path=${file}`,
      ],
      cwd: folder,
      env: {
        ...childEnvironment(),
        NODE_ENV: 'production' as const,
        CHROME_PATH: launch?.executablePath ?? chromium.executablePath(),
      },
    },
  );
  return answerSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
}

function middle(values: readonly number[]): number {
  return values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)] ?? 0;
}
