import { randomUUID } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, request, test } from '@playwright/test';
import { CUSTODY_TIMES, NO_FAULT_POINTS } from '#e2e/proof/proof-world.ts';
import { requestWithdrawal } from '#e2e/support/api-call.ts';
import { freshAddress } from '#e2e/support/chain.ts';
import { custody } from '#e2e/support/custody-control.ts';
import { openFundedCustomer } from '#e2e/support/customer.ts';
import { expectEachPaidOnce, type Order } from '#e2e/support/oracle.ts';
import { stack } from '#e2e/support/running-stack.ts';
import { waitUntil } from '#stack/wait-until.ts';

const WORKERS = ['worker', 'worker-2', 'worker-3'] as const;
const VICTIM = 'worker-2';
const CUSTOMERS = 3;
const ORDERS_EACH = 4;
// Custody has the transfer and is slow to say so: long enough that all are under way at once, and shorter than our time-out.
const SLOW_MS = 800;
// One at a time beyond the first: a worker that was quick to wake may have taken all of those.
const FURTHER_EVERY_MS = 250;

test.describe('three workers on one queue', () => {
  test.setTimeout(120_000);
  // Each process writes down the points that it reaches: C6 is a claim that is committed, C9 its result.
  const reached = mkdtempSync(join(tmpdir(), 'three-workers-'));
  const reachedFile = (worker: string) => join(reached, `${worker}.jsonl`);
  const visits = (worker: string, point: string) =>
    existsSync(reachedFile(worker))
      ? readFileSync(reachedFile(worker), 'utf8').split(`"point":"${point}"`).length - 1
      : 0;

  test.beforeEach(async () => {
    await stack.restart('custody', CUSTODY_TIMES);
    for (const worker of WORKERS) {
      await stack.restart(worker, {
        PROTOCOL_TIMES: 'proof',
        FAULT_POINTS: NO_FAULT_POINTS,
        FAULT_POINTS_FILE: reachedFile(worker),
      });
    }
    await waitUntil(async () => (await findLogs()).every((log) => log.includes('"memory.checked"')), {
      what: 'not every worker takes jobs',
      withinMs: 30_000,
    });
  });

  test.afterEach(async () => {
    await custody.clearFaults();
    for (const worker of WORKERS) await stack.stop(worker);
    await stack.restart('custody');
    await stack.start('worker');
  });

  test('all take part, one is killed with requests under way, and each withdrawal is paid once', async ({
    baseURL,
  }) => {
    const browsers = await Promise.all(Array.from({ length: CUSTOMERS }, () => request.newContext({ baseURL })));
    const customers = await Promise.all(
      browsers.map(async (browser) => ({ browser, customerId: (await openFundedCustomer(browser)).userId })),
    );
    await custody.setFault({ kind: 'slow', share: 1, delayMs: SLOW_MS });
    const ask = async ({ browser, customerId }: (typeof customers)[number], amount: string): Promise<Order> => {
      const order = { customerId, address: freshAddress(), amount };
      const body = { asset: 'USDC', network: 'ethereum', memo: null, amount, address: order.address };
      expect((await requestWithdrawal(browser, { key: randomUUID(), body })).status).toBe(200);
      return order;
    };
    const asked = customers.flatMap((customer) =>
      Array.from({ length: ORDERS_EACH }, (_, index) => ask(customer, `${index + 2}`)),
    );
    let furtherAt = performance.now() + SLOW_MS;
    await waitUntil(
      () => {
        if (WORKERS.every((worker) => visits(worker, 'C6') > 0) && visits(VICTIM, 'C6') > visits(VICTIM, 'C9'))
          return true;
        const customer = customers[asked.length % CUSTOMERS];
        if (customer && performance.now() > furtherAt) {
          asked.push(ask(customer, '1.5'));
          furtherAt = performance.now() + FURTHER_EVERY_MS;
        }
        return false;
      },
      { what: `not every worker claimed one while ${VICTIM} waited for custody`, withinMs: 20_000, everyMs: 5 },
    );
    await stack.kill(VICTIM);
    const claimed = WORKERS.map((worker) => visits(worker, 'C6'));
    const orders = await Promise.all(asked);
    await custody.clearFaults();

    const paid = await expectEachPaidOnce(orders);
    expect(
      claimed.every((count) => count > 0),
      `claims of each worker: ${claimed}`,
    ).toBe(true);
    expect(visits(VICTIM, 'C9'), `${VICTIM} died with results unwritten`).toBeLessThan(visits(VICTIM, 'C6'));
    const keys = new Set(paid.map(({ idempotencyKey }) => idempotencyKey));
    const bodies = (await custody.readRequests()).filter(({ externalId }) => keys.has(externalId ?? ''));
    expect(new Set(bodies.map(({ externalId, bodyHash }) => `${externalId} ${bodyHash}`)).size).toBe(keys.size);
    await Promise.all(browsers.map((browser) => browser.dispose()));
  });
});

async function findLogs(): Promise<string[]> {
  const processes = await stack.processes();
  return WORKERS.map((worker) => {
    const logFile = processes.find(({ name }) => name === worker)?.logFile;
    return logFile === undefined ? '' : readFileSync(logFile, 'utf8');
  });
}
