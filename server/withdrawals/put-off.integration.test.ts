import { afterEach, beforeEach, expect, it } from 'vitest';
import { cancelWithdrawal } from '#server/withdrawals/cancel-withdrawal.ts';
import { resolveInDoubtWithdrawal } from '#server/withdrawals/resolve-in-doubt-withdrawal.ts';
import { processWithdrawal } from '../../worker/processors/withdrawal-processor.ts';
import { createDispatchWorld, type DispatchWorld } from '../../worker/test-support/dispatch-world.ts';

// A provider that does not promise that nobody repeats a request: "later" is the answer to one copy of it.
let world: DispatchWorld;
beforeEach(async () => {
  world = await createDispatchWorld();
  await world.seedControl();
});
afterEach(() => world.close());

const process = (withdrawalId: string) => processWithdrawal(world.tools, { withdrawalId });
const cancel = (withdrawalId: string) => cancelWithdrawal(world.tools, { withdrawalId, customerId: world.customerId });
const resolveLater = async (withdrawalId: string, afterMs: number) => {
  await world.advanceClock(afterMs);
  await world.makeDue(withdrawalId);
  return await resolveInDoubtWithdrawal(world.tools, { withdrawalId });
};

it('a request that was put off and then repeated by a proxy is found, was never cancellable, and pays once', async () => {
  const { withdrawalId, key } = await world.request();
  world.custody.script = ['maintenance_then_repeated'];
  expect(await process(withdrawalId)).toMatchObject({ kind: 'put_off' });
  expect(await world.row(withdrawalId)).toMatchObject({ status: 'in_doubt', wait_reason: 'maintenance' });
  expect(await cancel(withdrawalId)).toMatchObject({ kind: 'too_late' });
  // The other copy comes out of the proxy long after the answer.
  world.custody.repeatNow();
  expect(await resolveLater(withdrawalId, 5_000)).toEqual({ kind: 'found' });
  expect(await world.row(withdrawalId)).toMatchObject({
    status: 'submitted',
    transfer_id: world.custody.transferOf(key).id,
  });
  expect(world.custody.creates).toHaveLength(1);
});

it('a customer cannot cancel what was put off, however often it was asked', async () => {
  const { withdrawalId } = await world.request();
  world.custody.script = ['rate_limited'];
  await process(withdrawalId);
  const results = await Promise.all([cancel(withdrawalId), cancel(withdrawalId)]);
  expect(results.map((result) => result.kind)).toEqual(['too_late', 'too_late']);
});

it('custody that puts off twenty times parks nobody: the same bytes go out again each time, and its reason is shown', async () => {
  const { withdrawalId } = await world.request();
  world.custody.script = Array.from({ length: 20 }, () => 'short_of_funds' as const);
  await process(withdrawalId);
  for (let round = 0; round < 40 && world.custody.script.length > 0; round += 1) {
    await resolveLater(withdrawalId, 2_100);
    const row = await world.row(withdrawalId);
    expect(row).toMatchObject({ parked_at: null });
    if (row.status === 'queued') await process(withdrawalId);
    else expect(row.wait_reason).toBe('insufficient_hot_wallet_funds');
  }
  // Where the not-after of the last copy has passed, its absence must be proved first: a quiet period more.
  for (let round = 0; round < 4 && (await world.row(withdrawalId)).status !== 'submitted'; round += 1) {
    await resolveLater(withdrawalId, 2_100);
    if ((await world.row(withdrawalId)).status === 'queued') await process(withdrawalId);
  }
  expect(await world.row(withdrawalId)).toMatchObject({ status: 'submitted' });
  expect(world.custody.made.filter((one) => one.externalId === world.custody.creates[0]?.externalId)).toHaveLength(1);
});

it('after absence is proved the row is queued again and may be cancelled', async () => {
  const { withdrawalId } = await world.request();
  world.custody.script = ['maintenance'];
  await process(withdrawalId);
  expect(
    await resolveLater(withdrawalId, world.tools.times.notAfterMs + world.tools.times.quietPeriodMs + 1_000),
  ).toEqual({ kind: 'back_to_queue' });
  expect(await cancel(withdrawalId)).toMatchObject({ kind: 'cancelled' });
});

it('a row in doubt before custody had accepted anything is looked up and left to people, never sent again', async () => {
  const bare = await createDispatchWorld();
  try {
    const { withdrawalId, key } = await bare.request();
    bare.custody.script = ['drop'];
    await processWithdrawal(bare.tools, { withdrawalId });
    await bare.advanceClock(3_000);
    await bare.makeDue(withdrawalId);
    expect(await resolveInDoubtWithdrawal(bare.tools, { withdrawalId })).toEqual({ kind: 'parked' });
    expect(await bare.row(withdrawalId)).toMatchObject({ status: 'in_doubt', parked_reason: 'control_impossible' });
    // The one copy that was sent is carried out very late: proof lifts the flag.
    const [seen] = bare.custody.creates;
    if (seen === undefined) throw new Error('nothing was sent');
    await bare.tools.custody.createTransfer({ key, body: Buffer.from(seen.body) });
    await bare.makeDue(withdrawalId);
    await resolveInDoubtWithdrawal(bare.tools, { withdrawalId });
    expect(await bare.row(withdrawalId)).toMatchObject({ status: 'submitted', parked_at: null });
  } finally {
    await bare.close();
  }
});

it('whether a not-after has passed is judged by custody’s clock before the question, not by the answer’s', async () => {
  const { withdrawalId } = await world.request();
  world.custody.script = ['drop'];
  await process(withdrawalId);
  // A look-up that takes as long as all that is left of the not-after: custody looked before it had passed.
  await world.advanceClock(world.tools.times.notAfterMs - 2_000);
  await world.makeDue(withdrawalId);
  world.custody.beforeLookUp = (reference) => {
    if (reference !== null && reference === world.custody.creates[0]?.externalId) world.custody.clockOffsetMs += 5_000;
  };
  expect((await resolveInDoubtWithdrawal(world.tools, { withdrawalId })).kind).not.toBe('back_to_queue');
});
