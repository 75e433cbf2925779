import { waitUntil } from '#stack/wait-until.ts';
import type { Intent } from '../workload/history.ts';
import { type Act, type ActTools, click, ENDS, LOOK_EVERY_MS, reach } from './act.ts';
import { decide } from './approvals.ts';
import { copyDatabase, restoreDatabase } from './copy-database.ts';

const ACT = 'restored postgres';
const ALL = ['web', 'worker', 'worker-2'] as const;

/**
 * Our own Postgres is restored to a copy from before, while custody went on paying. Our processes find it out at their start and
 * only look; two people end that; whoever lost a row asks again under the same key, as browsers do.
 */
export const RESTORED_POSTGRES: Act = {
  name: ACT,
  run: async (tools) => {
    const { world, keeper, staff } = tools;
    const small = { act: ACT, customer: tools.smallCustomer, body: { amount: '1500' } };
    const clicks: Record<'sent' | 'unsent' | 'approved' | 'waiting', Intent> = await inOrder(tools);

    // The world goes on: two are sent, one in vain, and one is asked for that the copy never hears of.
    await decide(tools, clicks.approved.idempotencyKey, 'approve');
    const lost = await click(tools, { act: ACT });
    for (const { idempotencyKey } of [clicks.sent, clicks.approved, lost])
      await reach(tools, idempotencyKey, ({ status }) => status === 'broadcast' || ENDS.has(status));
    await keeper.without(ALL, async () => {
      await restoreDatabase(world);
      await world.custody.clearFaults();
    });
    lost.restoredAway = true;
    for (const { idempotencyKey } of [...Object.values(clicks), lost]) tools.history.lostMemory.add(idempotencyKey);

    const inTime = (what: string) => ({ what, withinMs: 60_000, everyMs: LOOK_EVERY_MS });
    await waitUntil(async () => (await modeOf(tools)) === 'look_up_only', inTime('our memory was not found to be old'));
    await waitUntil(async () => {
      await staff.comeBy();
      return (await modeOf(tools)) === 'normal';
    }, inTime('two people did not end it'));
    // The browser asks again under the key that the copy does not know.
    const again = await click(tools, { act: ACT, key: lost.idempotencyKey, body: lost.body });
    for (const { idempotencyKey } of [clicks.sent, clicks.approved, clicks.unsent, again])
      await reach(tools, idempotencyKey, ({ status }) => status === 'completed', { withinMs: 90_000 });
    // Nobody had approved it, so it does not come out of doubt into the queue: two people give it back on proof of absence.
    await waitUntil(async () => {
      await staff.comeBy();
      const [row] = await world.ask<{ status: string }>('select status from withdrawals where idempotency_key = $1', [
        clicks.waiting.idempotencyKey,
      ]);
      return row?.status === 'failed';
    }, inTime('what nobody approved was not given back'));

    /** Everything that the copy knows as not sent, and the copy. */
    async function inOrder({ random }: ActTools) {
      const unsentKey = random.uuid();
      await world.custody.setFault({ kind: 'error_before', externalId: unsentKey });
      const approved = await click(tools, small);
      const waiting = await click(tools, small);
      let sent: Intent | undefined;
      let unsent: Intent | undefined;
      await keeper.without(['worker', 'worker-2'], async () => {
        sent = await click(tools, { act: ACT });
        unsent = await click(tools, { act: ACT, key: unsentKey });
        await keeper.without(['web'], () => copyDatabase(world));
      });
      if (sent === undefined || unsent === undefined) throw new Error('nothing was asked for');
      return { sent, unsent, approved, waiting };
    }
  },
};

async function modeOf({ world }: ActTools): Promise<string | undefined> {
  return (await world.ask<{ mode: string }>('select mode from protocol_settings'))[0]?.mode;
}
