import { randomUUID } from 'node:crypto';
import { get } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  openPerson,
  openTestWeb,
  TEST_ORIGIN,
  type TestPerson,
  type TestWeb,
} from '#server/api/api-world.test-support.ts';
import { createTestDatabase, type TestDatabase } from '#server/db/test-database.ts';
import { enqueueJob } from '#server/queue/enqueue-job.ts';
import { createWithdrawalQueue, type WithdrawalQueue } from '#server/queue/withdrawal-queue.ts';
import { migrate } from '../../prisma/migrate.ts';

const WITHDRAWAL = randomUUID();
let database: TestDatabase;
let queue: WithdrawalQueue;
let web: TestWeb;
let auditor: TestPerson;
let alice: TestPerson;

beforeAll(async () => {
  database = await createTestDatabase({ migrate });
  queue = createWithdrawalQueue({ redisUrl: process.env.TEST_REDIS_URL ?? '', deadlineMs: 2_000 });
  const room = { queue, custodyAnswers: () => Promise.resolve(true), lab: null };
  web = await openTestWeb(database.db, { room });
  auditor = web.as(await openPerson(database.db, { role: 'auditor' }));
  alice = web.as(await openPerson(database.db));
  await enqueueJob({ queue }, { wakeUps: [{ withdrawalId: WITHDRAWAL, outboxId: '7' }] });
});
afterAll(async () => {
  await queue.bull.remove(`${WITHDRAWAL}-7`);
  await web.close();
  await queue.close();
  await database.close();
});

const look = (path: string, who: TestPerson | null, init: RequestInit = {}) =>
  fetch(`${web.url}/operator/queue-board${path}`, {
    ...init,
    headers: { origin: TEST_ORIGIN, ...(who === null ? {} : { cookie: who.cookie }) },
  });

test('staff see the board with its scripts and the jobs, under a policy that fetches nothing from elsewhere', async () => {
  const page = await look('', auditor);
  expect(page.headers.get('content-security-policy')).toMatch(/default-src 'none'; script-src 'self';/);
  const html = await page.text();
  expect(html).toContain('Withdrawal queue, read only');
  expect(html).not.toMatch(/https:\/\//);
  const scripts = [...html.matchAll(/<script defer src="(static\/js\/[^"]+)"/g)].map(([, src]) => src);
  expect(scripts.length).toBeGreaterThan(0);
  for (const src of scripts) expect((await look(`/${src}`, auditor)).status).toBe(200);
  const job = await look(`/api/queues/${queue.bull.name}/${WITHDRAWAL}-7`, auditor);
  expect(await job.json()).toMatchObject({ job: { data: { withdrawalId: WITHDRAWAL } } });
});

test('customers and the signed-out are told that there is no such page, by whatever path', async () => {
  for (const path of ['', '/api/queues', '/static/favicon-32x32.png']) {
    expect([path, (await look(path, alice)).status]).toEqual([path, 404]);
    expect([path, (await look(path, null)).status]).toEqual([path, 404]);
  }
});

test('OP04: the board runs nothing again, empties nothing and adds nothing, whoever asks it', async () => {
  const name = queue.bull.name;
  const deeds = [
    ['PUT', `/api/queues/${name}/${WITHDRAWAL}-7/retry`],
    ['PUT', `/api/queues/${name}/empty`],
    ['PUT', `/api/queues/${name}/obliterate`],
    ['PUT', `/api/queues/pause`],
    ['POST', `/api/queues/${name}/add`],
  ] as const;
  const before = await queue.bull.getJobCounts();
  for (const [method, path] of deeds) {
    expect([path, (await look(path, auditor, { method })).status]).toEqual([path, 405]);
  }
  expect(await queue.bull.getJobCounts()).toEqual(before);
});

test('nothing outside the folder of the board is served', async () => {
  // As a program would ask: a browser takes the dots away before it sends.
  const raw = (path: string) =>
    new Promise<number | undefined>((resolve, reject) => {
      const { port } = new URL(web.url);
      const options = {
        port,
        host: '127.0.0.1',
        path: `/operator/queue-board${path}`,
        headers: { cookie: auditor.cookie },
      };
      get(options, (response) => {
        response.resume();
        resolve(response.statusCode);
      }).on('error', reject);
    });
  for (const path of ['/static/../../package.json', '/static/%2e%2e/%2e%2e/package.json', '/static/../index.ejs']) {
    expect([path, await raw(path)]).toEqual([path, 404]);
  }
});
