import { setTimeout as sleep } from 'node:timers/promises';
import { flushRedis } from '#e2e/proof/flush-redis.ts';
import { createSeededRandom } from '#e2e/proof/seeded-random.ts';
import type { CustodyForFaults, FaultStage } from '../faults/fault-stage.ts';
import type { Mortal } from '../faults/mortal.ts';

const EVERY_MS = 5_000;

/** Custody's own, all the time: of a hundred requests so many. */
const SHARES = [
  { kind: 'execute_then_drop', share: 0.01 },
  { kind: 'error_after', share: 0.01, status: 502 },
  { kind: 'error_before', share: 0.01, status: 500 },
  { kind: 'slow', share: 0.01, delayMs: 1_000 },
  { kind: 'rate_limit', share: 0.01 },
  { kind: 'reject', share: 0.01 },
  { kind: 'webhook_lost', share: 0.02 },
  { kind: 'webhook_doubled', share: 0.05 },
];

/** One after the other, until it is told to stop. What is measured (web, the first worker) is not killed: its memory would begin anew. */
export async function keepBreaking(
  deps: { log: (line: string) => void; isOver: () => boolean },
  input: { stage: FaultStage; custody: CustodyForFaults; otherWorker: Mortal; databaseName: string },
): Promise<number> {
  const { stage, custody, otherWorker, databaseName } = input;
  const { proxies, world } = stage;
  for (const order of SHARES) await custody.control.setFault(order);
  const deeds: readonly (() => Promise<unknown>)[] = [
    () => otherWorker.kill(),
    async () => proxies.custody.cut(500),
    () => flushRedis(world.redisUrl),
    async () => proxies.custody.swallowAnswers(500),
    async () => proxies.redis.cut(300),
    async () => proxies.custody.repeatRequests({ requests: 5, copies: 1, delayMs: 700 }),
    () => world.endSessions(databaseName),
    () => otherWorker.pause(3_000),
  ];
  const random = createSeededRandom(1);
  let struck = 0;
  while (!deps.isOver()) {
    await sleep(EVERY_MS);
    await random
      .pick(deeds)()
      .catch((error: unknown) => deps.log(`a fault did not strike: ${String(error)}`));
    struck += 1;
  }
  await custody.control.clearFaults();
  return struck;
}
