import { setTimeout as sleep } from 'node:timers/promises';
import { readProtocolTimes } from '#server/protocol-times.ts';
import { waitUntil } from '#stack/wait-until.ts';
import { type Act, type ActTools, click, LOOK_EVERY_MS } from './act.ts';

const CLICKS = 20;
const SILENT_MS = 5_000;
const ENDED_WITHIN_MS = 60_000;
/** By the requirement: every withdrawal has a new attempt, or a time to come with its reason. */
const RECOVERED_WITHIN_MS = 10_000;

/** Custody makes half of the transfers, receives the other half in vain, and then answers nobody for a while. */
export const DOUBT_ENDS: Act = {
  name: 'doubt ends',
  run: async (tools) => {
    const { world } = tools;
    const keys = Array.from({ length: CLICKS }, () => tools.random.uuid());
    for (const [index, externalId] of keys.entries()) {
      await world.custody.setFault({ kind: 'webhook_lost', externalId, share: 1 });
      const kind = index % 2 === 0 ? 'execute_then_drop' : 'close_before_reading';
      await world.custody.setFault({ kind, externalId, count: 1 });
      await world.custody.setFault({ kind: 'lookup_error', externalId, share: 1 });
    }
    await Promise.all(keys.map((key) => click(tools, { act: 'doubt ends', key })));
    const sent = { what: 'not all were sent', withinMs: ENDED_WITHIN_MS, everyMs: LOOK_EVERY_MS };
    await waitUntil(async () => (await countIn(tools, keys, ['queued', 'dispatching'])) === 0, sent);
    await sleep(SILENT_MS);
    await world.custody.clearFaults();
    const answersAt = performance.now();
    const settled = { what: 'a doubt was left', withinMs: ENDED_WITHIN_MS, everyMs: LOOK_EVERY_MS };
    await waitUntil(async () => (await countIn(tools, keys, ['in_doubt', 'dispatching'])) === 0, settled);
    tools.measure(
      'in doubt once custody answers',
      performance.now() - answersAt,
      2 * readProtocolTimes('proof').quietPeriodMs,
    );
  },
};

/** The only worker is killed while withdrawals come in, and started again. */
export const WORKER_RETURNS: Act = {
  name: 'worker returns',
  run: async (tools) => {
    const { keeper } = tools;
    await keeper.without(['worker-2'], async () => {
      const clicks = Promise.all(Array.from({ length: CLICKS }, () => click(tools, { act: 'worker returns' })));
      await sleep(300);
      const startedAt = await keeper.killAndReturn('worker');
      await clicks;
      const recovered = { what: 'not everything had an attempt or a time', withinMs: ENDED_WITHIN_MS };
      await waitUntil(
        async () => {
          const [left] = await tools.world.ask<{ count: number }>(FIND_LEFT_ALONE);
          return left?.count === 0;
        },
        { ...recovered, everyMs: LOOK_EVERY_MS },
      );
      tools.measure('recovery after kill -9 of the only worker', performance.now() - startedAt, RECOVERED_WITHIN_MS);
    });
  },
};

async function countIn({ world }: ActTools, keys: readonly string[], statuses: readonly string[]): Promise<number> {
  const [row] = await world.ask<{ count: number }>(
    'select count(*)::int as count from withdrawals where idempotency_key = any($1::uuid[]) and status = any($2::text[])',
    [keys, statuses],
  );
  return row?.count ?? 0;
}

// Alive only if somebody wrote so after the restart; what custody has is polled, and has a time as well.
const FIND_LEFT_ALONE = `
  select count(*)::int as count from withdrawals w, protocol_settings s
  where w.status in ('queued', 'dispatching', 'in_doubt', 'submitted', 'broadcast')
    and not (w.next_action_at > protocol_now() and (w.wait_reason is not null or w.status in ('dispatching', 'submitted', 'broadcast')))
    and not exists (select 1 from withdrawal_attempts a where a.withdrawal_id = w.id and a.started_at > protocol_now() - interval '1 second')`;
