import { waitUntil } from '#stack/wait-until.ts';
import { type Act, type ActTools, cancel, click, LOOK_EVERY_MS, reach } from './act.ts';

// Above what this customer may send to a new address without a person, below every limit.
const AMOUNT = '1500';

const request = (tools: ActTools, act: string) =>
  click(tools, { act, customer: tools.smallCustomer, body: { amount: AMOUNT } });

/** Requests that wait for people: one is approved, one is rejected, one is taken back. */
export const APPROVALS: Act = {
  name: 'approvals',
  run: async (tools) => {
    const approved = await request(tools, 'approvals');
    const rejected = await request(tools, 'approvals');
    const takenBack = await request(tools, 'approvals');
    for (const { idempotencyKey } of [approved, rejected, takenBack])
      await reach(tools, idempotencyKey, ({ status }) => status === 'awaiting_approval');
    await decide(tools, approved.idempotencyKey, 'approve');
    await decide(tools, rejected.idempotencyKey, 'reject');
    await cancel(tools, takenBack);
    await reach(tools, approved.idempotencyKey, ({ status }) => status === 'completed');
    await reach(tools, rejected.idempotencyKey, ({ status }) => status === 'rejected');
  },
};

/** Says it until it is said: whoever confirms needs a code that was not used yet. */
export async function decide(tools: ActTools, key: string, decision: 'approve' | 'reject'): Promise<void> {
  const { id } = await reach(tools, key, ({ status }) => status === 'awaiting_approval');
  const what = `no ${decision} of ${id}`;
  await waitUntil(() => tools.staff.decide(id, decision), { what, withinMs: 60_000, everyMs: LOOK_EVERY_MS });
}
