import { afterAll, beforeAll, expect, it } from 'vitest';
import { claimWithdrawal } from '#server/withdrawals/claim-withdrawal.ts';
import { recordTransition } from '#server/withdrawals/record-transition.ts';
import { createDispatchWorld, type DispatchWorld } from '../../worker/test-support/dispatch-world.ts';

let world: DispatchWorld;
beforeAll(async () => {
  world = await createDispatchWorld();
});
afterAll(() => world.close());

it('an answer to an older send changes nothing while a newer one is under way, and is kept beside its own', async () => {
  const { withdrawalId } = await world.request();
  const claimed = await claimWithdrawal(world.tools, { withdrawalId });
  if (claimed.kind !== 'claimed') throw new Error(`not claimed: ${claimed.kind}`);
  const { send } = claimed;
  const { site } = world.tools.custody;
  await world.makeDue(withdrawalId);
  const looked = await recordTransition(world, {
    kind: 'look_up',
    withdrawalId,
    fromStatus: 'dispatching',
    fence: send.fence,
    site,
    leaseMs: 0,
  });
  if (looked.kind !== 'moved') throw new Error('not taken');
  await world.makeDue(withdrawalId);
  const { body, bodySha256, notAfter } = send;
  const newer = await recordTransition(world, {
    ...{ kind: 'claim', withdrawalId, fromStatus: 'in_doubt', fence: looked.fence, site, notAfter, body, bodySha256 },
    answerWithinMs: 60_000,
    attemptsMax: 5,
  });
  expect(newer).toMatchObject({ kind: 'moved', status: 'dispatching' });

  const late = await recordTransition(world, {
    ...{ kind: 'answer', withdrawalId, fence: send.fence, attempt: send.attempt, outcome: 'in_doubt', detail: {} },
    queuedWaitMs: 0,
    inDoubtWaitMs: 0,
    waitReason: 'looking_up',
  });
  expect(late).toEqual({ kind: 'not_moved' });
  expect(await world.row(withdrawalId)).toMatchObject({ status: 'dispatching', fence: '3' });
  const [first] = await world.rows('select * from withdrawal_attempts where withdrawal_id = $1 and attempt = $2', [
    withdrawalId,
    send.attempt,
  ]);
  expect(first).toMatchObject({ outcome: null, late_outcome: 'in_doubt' });
});
