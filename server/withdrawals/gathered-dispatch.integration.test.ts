import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { recordTransition, type Transition } from '#server/withdrawals/record-transition.ts';
import { createDispatchWorld, type DispatchWorld } from '../../worker/test-support/dispatch-world.ts';

let world: DispatchWorld;
beforeAll(async () => {
  world = await createDispatchWorld();
});
afterAll(() => world.close());

const SITE = { provider: 'custody', account: 'main' };
const aClaim = (withdrawalId: string, more: Partial<Transition & { kind: 'claim' }> = {}): Transition => ({
  kind: 'claim',
  withdrawalId,
  fromStatus: 'queued',
  fence: 0n,
  site: SITE,
  notAfter: new Date(Date.now() + 3_600_000),
  body: Buffer.from(`the bytes of ${withdrawalId}`),
  bodySha256: `hash of ${withdrawalId}`,
  answerWithinMs: 30_000,
  attemptsMax: 5,
  ...more,
});
const anAnswer = (withdrawalId: string, transferId: string): Transition => ({
  kind: 'accepted',
  withdrawalId,
  fromStatus: 'dispatching',
  transferId,
  attempt: { number: 1, outcome: 'accepted' },
  site: SITE,
  pollMs: 1_000,
  actor: 'worker',
  reason: 'accepted',
  evidence: { of: withdrawalId },
});
const moveAll = (transitions: readonly Transition[]) =>
  Promise.allSettled(transitions.map((transition) => recordTransition(world.tools, transition)));
const kindsOf = async (transitions: readonly Transition[]) =>
  (await moveAll(transitions)).map((one) => (one.status === 'fulfilled' ? one.value.kind : 'threw'));
const requestMany = (count: number) => Promise.all(Array.from({ length: count }, () => world.request()));
const historyOf = async (withdrawalId: string) =>
  (
    await world.rows('select to_status from withdrawal_history where withdrawal_id = $1 order by id', [withdrawalId])
  ).map((row) => row.to_status);

test('claims of one batch: each under its own fence, each with its own bytes, and what may not be sent is left', async () => {
  const [good, another, old, early, paid] = (await requestMany(5)).map(({ withdrawalId }) => withdrawalId);
  if (!good || !another || !old || !early || !paid) throw new Error('five were requested');
  await world.rows(`update withdrawals set next_action_at = protocol_now() + interval '1 hour' where id = $1`, [early]);
  await world.rows(
    `insert into withdrawal_transactions (withdrawal_id, transaction_hash, source) values ($1, '0xpaid', 'webhook')`,
    [paid],
  );
  const claims = [aClaim(good), aClaim(old, { fence: 7n }), aClaim(early), aClaim(another), aClaim(paid), aClaim(good)];
  expect(await kindsOf(claims)).toEqual(['moved', 'not_moved', 'not_moved', 'moved', 'not_moved', 'not_moved']);
  const attempts = await world.rows(
    'select withdrawal_id, attempt, fence, body_sha256 from withdrawal_attempts where withdrawal_id = any($1::uuid[])',
    [[good, another, old, early, paid]],
  );
  expect(attempts).toHaveLength(2);
  for (const id of [good, another]) {
    const mine = { withdrawal_id: id, attempt: 1, fence: '1', body_sha256: `hash of ${id}` };
    expect(attempts).toContainEqual(mine);
    expect(await historyOf(id)).toEqual(['queued', 'dispatching']);
  }
  for (const id of [old, early, paid]) expect(await historyOf(id)).toEqual(['queued']);
});

test('one claim that the database refuses takes no other with it', async () => {
  const ids = (await requestMany(6)).map(({ withdrawalId }) => withdrawalId);
  const [poisoned] = ids;
  // A row that the guards would let through and the table does not.
  const claims = ids.map((id) => aClaim(id, id === poisoned ? { bodySha256: null as unknown as string } : {}));
  expect(await kindsOf(claims)).toEqual(['threw', 'moved', 'moved', 'moved', 'moved', 'moved']);
  expect(await world.row(String(poisoned))).toMatchObject({ status: 'queued', fence: '0' });
});

test('answers of one batch: each row its own transfer, a moved row keeps its answer beside the attempt', async () => {
  const ids = (await requestMany(3)).map(({ withdrawalId }) => withdrawalId);
  await moveAll(ids.map((id) => aClaim(id)));
  const [first, second, gone] = ids;
  if (!first || !second || !gone) throw new Error('three were requested');
  await recordTransition(world.tools, {
    kind: 'answer',
    withdrawalId: gone,
    fence: 1n,
    attempt: 1,
    outcome: 'in_doubt',
    detail: { reason: 'timeout' },
    queuedWaitMs: 0,
    inDoubtWaitMs: 0,
    waitReason: 'looking_up',
  });
  const transfers = new Map(ids.map((id) => [id, randomUUID()]));
  expect(await kindsOf(ids.map((id) => anAnswer(id, transfers.get(id) ?? '')))).toEqual([
    'moved',
    'moved',
    'not_moved',
  ]);
  for (const id of [first, second]) {
    expect(await world.row(id)).toMatchObject({ status: 'submitted', transfer_id: transfers.get(id) });
    expect(await historyOf(id)).toEqual(['queued', 'dispatching', 'submitted']);
    const [kept] = await world.rows(
      'select evidence from withdrawal_history where withdrawal_id = $1 order by id desc limit 1',
      [id],
    );
    expect(kept?.evidence).toEqual({ of: id, transferId: transfers.get(id) });
  }
  const [late] = await world.rows(
    'select outcome, late_outcome, transfer_id from withdrawal_attempts where withdrawal_id = $1',
    [gone],
  );
  expect(late).toEqual({ outcome: 'in_doubt', late_outcome: 'accepted', transfer_id: transfers.get(gone) });
  expect(await world.row(gone)).toMatchObject({ status: 'in_doubt', transfer_id: null });
});
