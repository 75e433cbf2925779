import { waitUntil } from '#stack/wait-until.ts';
import { aWireRequest } from '../door/wire-request.ts';
import { type Contestant, ENDED } from '../harness/contestant.ts';
import { loadHttp } from '../harness/http-load.ts';
import { measure } from '../harness/measure.ts';
import { loadQuietly } from '../harness/quiet-load.ts';
import type { Pipeline } from './pipeline.ts';

export type PeerName = 'bullmq' | 'graphile-worker' | 'pg-boss' | 'dbos';

const HOW: Readonly<Record<PeerName, string>> = {
  bullmq:
    'bare: a row and a balance, BullMQ, send, update; no attempts, fence, history, inbox or policy; the same signed-in door for all peers',
  'graphile-worker': 'the bare job on graphile-worker, added in the accepting transaction',
  'pg-boss': 'the bare job on pg-boss, sent in the accepting transaction, fetched and completed in batches',
  dbos: 'the bare job as a step of a DBOS workflow, enqueued by its client',
};

/** One client of one account each; a request has a key of its own and goes to another address each time. */
export async function startBare(
  { world, house, custody, cookies }: Pipeline,
  peer: PeerName,
): Promise<{ contestant: Contestant; quiet: Contestant; stop: () => Promise<void> }> {
  if (peer === 'dbos') await world.createEmptyDatabase('bench_dbos');
  const env = { DATABASE_URL: house.url, REDIS_URL: world.redisUrl, QUEUE: peer, CUSTODY_URL: custody.url };
  // The worker first: a queue makes its tables when it first starts.
  const worker = await world.start('bare-worker', env, { path: '/ready', portVariable: 'PORT', besidePeers: true });
  const door = await world.start('bare-door', env, { path: '/ready', portVariable: 'PORT', besidePeers: true });
  const next = () => aWireRequest(cookies);
  const isDone = async () => {
    const left = await house.run(`select 1 from bare_withdrawals where status = 'queued' limit 1`);
    return left.length === 0;
  };
  const { postgres, redis } = world.pids;
  return {
    quiet: {
      name: peer === 'bullmq' ? 'bare' : peer,
      how: 'from the click to the answer that it is accepted',
      run: (milliseconds) =>
        measure({ door: door.pid, worker: worker.pid, postgres, redis }, () =>
          loadQuietly({ port: door.port, milliseconds, next }),
        ),
    },
    contestant: {
      name: peer === 'bullmq' ? 'bare' : peer,
      how: HOW[peer],
      run: (milliseconds) =>
        measure({ door: door.pid, worker: worker.pid, postgres, redis }, async () => {
          const { operations } = await loadHttp({ port: door.port, connections: 32, milliseconds, next });
          await waitUntil(isDone, { ...ENDED, what: `the jobs of ${peer} did not come to their end` });
          return { operations };
        }),
    },
    stop: async () => {
      await door.stop();
      await worker.stop();
    },
  };
}
