import { setTimeout as sleep } from 'node:timers/promises';
import { createSeededRandom } from '#e2e/proof/seeded-random.ts';
import { percentile } from '../harness/spread.ts';
import { countFates, type Fates } from './count-fates.ts';
import { planFaults } from './fault-schedule.ts';
import type { FaultStage } from './fault-stage.ts';
import type { Rival, RunningRival } from './rival.ts';

export interface RivalResult extends Fates {
  readonly rival: string;
  readonly profile: string;
  /** Faults of the schedule that were struck. */
  readonly struck: number;
  /** From the click to the row that says how it ended, of those that do; null when none does. */
  readonly afterMs: { readonly p50: number; readonly p95: number; readonly max: number } | null;
}

const LOAD_MS = 15_000;
const EVERY_MS = 100;
/** After the last click: longer than the not-after, the quiet period and the latest copy; whoever is done earlier stops. */
const DRAIN_MS = 20_000;
/** Until the copies that the network kept have arrived. */
const SETTLE_MS = 3_000;
const AGAIN_MS = 300;
const ANSWER_WITHIN_MS = 3_000;

/** Clicks at a fixed pace while everything breaks by one schedule, waits, and counts in custody's own log. */
export async function runRival(
  deps: { log: (line: string) => void; signal: AbortSignal },
  stage: FaultStage,
  input: { rival: Rival; profile: string; seed: number },
): Promise<RivalResult> {
  const { rival, profile } = input;
  const { world, proxies } = stage;
  const doorPort = await world.freePort();
  const webhookUrl = rival.name === 'ours' ? `http://127.0.0.1:${doorPort}/api/webhooks/custody` : null;
  const custody = await stage.openCustody({ profile, webhookUrl, times: 'proof' });
  const running = await rival.start(stage, `http://127.0.0.1:${proxies.custody.port}`, doorPort);
  const faults = planFaults(createSeededRandom(input.seed), LOAD_MS);
  let struck = 0;
  const strikes = faults.map(async ({ atMs, name, strike }) => {
    await sleep(atMs);
    deps.signal.throwIfAborted();
    await strike({ stage, custody, door: running.door, workers: running.workers }).then(
      () => {
        struck += 1;
      },
      (error: unknown) => deps.log(`${name}: ${error instanceof Error ? error.message : String(error)}`),
    );
  });
  const end = performance.now() + LOAD_MS + DRAIN_MS;
  const clicks = Array.from({ length: LOAD_MS / EVERY_MS }, async (_, number) => {
    await sleep(number * EVERY_MS);
    return await askUntilAnswered(running, doorPort, end);
  });
  const asked = await Promise.all(clicks);
  await Promise.all(strikes);
  await sleep(SETTLE_MS);
  while (performance.now() < end && (await running.readRows()).some(({ says }) => says === 'open')) await sleep(200);
  const rows = await running.readRows();
  const log = await custody.control.readLog();
  await running.stop();
  await custody.stop();
  const times = rows.flatMap(({ afterMs }) => (afterMs === null ? [] : [afterMs])).sort((left, right) => left - right);
  const result = {
    rival: rival.name,
    profile,
    struck,
    ...countFates({ asked, rows, log }),
    afterMs:
      times.length === 0
        ? null
        : { p50: percentile(times, 0.5), p95: percentile(times, 0.95), max: percentile(times, 1) },
  };
  deps.log(`${profile}, ${rival.name}: ${JSON.stringify(result)}`);
  return result;
}

/** As a good client does: the same request under the same key until it is answered. */
async function askUntilAnswered(running: RunningRival, port: number, end: number) {
  const { key, request } = running.click();
  while (performance.now() < end) {
    const status = await fetch(`http://127.0.0.1:${port}${request.path}`, {
      method: 'POST',
      headers: request.headers,
      body: request.body,
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    }).then(
      async (response) => {
        await response.arrayBuffer();
        return response.status;
      },
      () => 0,
    );
    if (status === 200) return { key, isAccepted: true };
    await sleep(AGAIN_MS);
  }
  return { key, isAccepted: false };
}
