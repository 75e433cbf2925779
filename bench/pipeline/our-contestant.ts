import { aWireRequest } from '../door/wire-request.ts';
import type { BenchProcess } from '../harness/bench-world.ts';
import type { Contestant } from '../harness/contestant.ts';
import { loadHttp, type WireRequest } from '../harness/http-load.ts';
import { measure } from '../harness/measure.ts';
import { productEnv, webhookTo } from '../harness/product-env.ts';
import { loadQuietly } from '../harness/quiet-load.ts';
import type { Pipeline } from './pipeline.ts';
import { untilOursEnded } from './until-ours-ended.ts';

/** The product's door and worker, with sessions, policy, attempts, fence, ledger, history, relay, inbox and sweeps. */
export async function startOurs(
  { world, house, cookies }: Pipeline,
  custodyFor: (hooks: Record<string, string>) => Promise<BenchProcess>,
): Promise<{ contestant: Contestant; quiet: Contestant; dispatch: Contestant; stop: () => Promise<void> }> {
  // Its events go to the door, which asks for no custody: the two only have to know each other's port.
  const doorPort = await world.freePort();
  const custody = await custodyFor(webhookTo(doorPort));
  const env = productEnv({ databaseUrl: house.url, redisUrl: world.redisUrl, custodyUrl: custody.url });
  const door = await world.start('door', env, { path: '/ready', portVariable: 'PORT', port: doorPort });
  const worker = await world.start('worker', env, { path: '/health/ready', portVariable: 'WORKER_HEALTH_PORT' });
  const next = () => aWireRequest(cookies);
  const { postgres, redis } = world.pids;
  const processes = { door: door.pid, worker: worker.pid, postgres, redis };
  return {
    quiet: {
      name: 'ours',
      how: 'from the click to the answer that it is accepted',
      run: (milliseconds) => measure(processes, () => loadQuietly({ port: door.port, milliseconds, next })),
    },
    dispatch: {
      name: 'ours, on to custody',
      how: 'from the answer to the row that says that custody, which takes no time, has it',
      run: (milliseconds) =>
        measure(processes, async () => {
          const answeredAt = new Map<string, number>();
          const onAnswer = ({ headers }: WireRequest, atMs: number) =>
            answeredAt.set(headers['idempotency-key'] ?? '', atMs);
          const { operations } = await loadQuietly({ port: door.port, milliseconds, next, onAnswer });
          await untilOursEnded(house);
          const rows = await house.run<{ key: string; at_ms: number }>(
            `select w.idempotency_key as key, (extract(epoch from h.at) * 1000)::float8 as at_ms
             from withdrawals w join withdrawal_history h on h.withdrawal_id = w.id and h.to_status = 'submitted'
             where w.idempotency_key = any($1::uuid[])`,
            [[...answeredAt.keys()]],
          );
          return { operations, latencyMs: rows.map(({ key, at_ms }) => at_ms - (answeredAt.get(key) ?? Number.NaN)) };
        }),
    },
    contestant: {
      name: 'ours',
      how: "everything on, until custody's event is applied",
      run: (milliseconds) =>
        measure(processes, async () => {
          const { operations } = await loadHttp({ port: door.port, connections: 32, milliseconds, next });
          await untilOursEnded(house);
          return { operations };
        }),
    },
    stop: async () => {
      await door.stop();
      await worker.stop();
      await custody.stop();
    },
  };
}
