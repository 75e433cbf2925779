import { afterEach, beforeEach, expect, it } from 'vitest';
import { beginRun } from '#server/reconciliation/begin-run.ts';
import { runReconciliation } from '#server/reconciliation/run-reconciliation.ts';
import { pollTransfer } from '#server/withdrawals/poll-transfer.ts';
import { resolveInDoubtWithdrawal } from '#server/withdrawals/resolve-in-doubt-withdrawal.ts';
import { processWithdrawal } from '../../worker/processors/withdrawal-processor.ts';
import { createDispatchWorld, type DispatchWorld, type Requested } from '../../worker/test-support/dispatch-world.ts';
import type { ScriptedTransfer } from '../../worker/test-support/scripted-custody.ts';

let world: DispatchWorld;
beforeEach(async () => {
  world = await createDispatchWorld();
  await world.seedControl();
});
afterEach(() => world.close());

async function reconcile(): Promise<string> {
  await world.advanceClock(world.tools.times.reconcileIntervalMs + 1);
  const begun = await beginRun(world, { intervalMs: world.tools.times.reconcileIntervalMs });
  if (begun === null) throw new Error('no run is due');
  return (await runReconciliation(world.tools, { runId: begun.runId, windowMs: 86_400_000 })).outcome;
}
async function resolveLater(withdrawalId: string, afterMs: number): Promise<string> {
  await world.advanceClock(afterMs);
  await world.makeDue(withdrawalId);
  return (await resolveInDoubtWithdrawal(world.tools, { withdrawalId })).kind;
}
/** Custody makes it, loses its answer, and denies it to every look-up until its not-after has passed. */
async function deny(): Promise<Requested & { transfer: ScriptedTransfer }> {
  const requested = await world.request();
  world.custody.script = ['accept_then_drop'];
  world.custody.lookUps = 'fail';
  await processWithdrawal(world.tools, requested);
  world.custody.lookUps = 'normal';
  const transfer = world.custody.transferOf(requested.key);
  world.custody.transfers.delete(requested.key);
  expect(await resolveLater(requested.withdrawalId, world.tools.times.notAfterMs + 3_000)).toBe('back_to_queue');
  return { ...requested, transfer };
}
const cases = () => world.rows('select kind, withdrawal_id, evidence from cases');
const moves = async (withdrawalId: string) =>
  (
    await world.rows('select to_status, reason from withdrawal_history where withdrawal_id = $1 order by id', [
      withdrawalId,
    ])
  ).map((move) => `${move.to_status}: ${move.reason}`);

async function expectOnlyTheCustomerStops(): Promise<void> {
  expect(await world.rows('select mode, sending_stopped_at from protocol_settings')).toEqual([
    { mode: 'normal', sending_stopped_at: null },
  ]);
  const stopped = await world.rows('select id from customers where payouts_stopped_at is not null');
  expect(stopped).toEqual([{ id: world.customerId }]);
  expect(await world.rows('select scope from switches where resumed_at is null')).toEqual([]);
}

it('a transfer that custody’s own look-ups denied is followed, with a case, and stops its customer and nobody else', async () => {
  const { withdrawalId, key, transfer } = await deny();
  const other = await world.request();
  world.custody.transfers.set(key, transfer);
  expect(await reconcile()).toBe('discrepancies');
  expect(await world.row(withdrawalId)).toMatchObject({ status: 'submitted', transfer_id: transfer.id });
  expect((await moves(withdrawalId)).slice(-2)).toEqual(['in_doubt: absence_contradicted', 'submitted: found']);
  const [opened, more] = await cases();
  expect(more).toBeUndefined();
  expect(opened).toMatchObject({ kind: 'absence_contradicted', withdrawal_id: withdrawalId });
  expect(opened?.evidence).toMatchObject({ transferId: transfer.id, status: 'queued', denied: [{ attempt: 1 }] });
  await expectOnlyTheCustomerStops();
  await processWithdrawal(world.tools, other);
  expect(await world.row(other.withdrawalId)).toMatchObject({ status: 'queued', wait_reason: 'payouts_stopped' });
  // Seen again, it is no news.
  await reconcile();
  expect(await cases()).toHaveLength(1);
  expect(world.custody.made.filter((one) => one.externalId === key)).toHaveLength(1);
});

it('the same where a second send meets it before any comparison does', async () => {
  const { withdrawalId, key, transfer } = await deny();
  world.custody.transfers.set(key, transfer);
  expect(await processWithdrawal(world.tools, { withdrawalId })).toMatchObject({ kind: 'submitted' });
  await world.makeDue(withdrawalId);
  await pollTransfer(world.tools, { withdrawalId });
  expect((await cases()).map(({ kind }) => kind)).toEqual(['absence_contradicted']);
  await expectOnlyTheCustomerStops();
  expect(world.custody.made.filter((one) => one.externalId === key)).toHaveLength(1);
});

it('a transfer of a row that we remember to have sent nothing for is still our own memory’s fault', async () => {
  const { key, transfer } = await deny();
  const never = await world.request();
  const { address } = await world.row(never.withdrawalId);
  world.custody.transfers.set(key, transfer);
  world.custody.transfers.set(never.key, {
    ...transfer,
    id: 'tr_of_nobody',
    externalId: never.key,
    address: String(address),
  });
  expect(await reconcile()).toBe('look_up_only');
  const evidence = await world.rows('select transfer_id from look_up_only_evidence');
  expect(evidence).toEqual([{ transfer_id: 'tr_of_nobody' }]);
});

it('a transfer that custody failed for good and moves again opens a case, and books nothing on its word', async () => {
  const requested = await world.request();
  const { withdrawalId, key } = requested;
  await processWithdrawal(world.tools, requested);
  const transfer = world.custody.transferOf(key);
  Object.assign(transfer, { status: 'failed', final: true, failureCode: 'provider_failed' });
  await world.advanceClock(1_000);
  await world.makeDue(withdrawalId);
  await pollTransfer(world.tools, { withdrawalId });
  expect(await world.row(withdrawalId)).toMatchObject({ status: 'failed' });
  Object.assign(transfer, { status: 'broadcast', final: false, failureCode: null });
  await reconcile();
  expect((await cases()).map(({ kind }) => kind)).toEqual(['failure_contradicted']);
  await expectOnlyTheCustomerStops();
  expect(await world.row(withdrawalId)).toMatchObject({ status: 'failed' });
  const booked = await world.rows('select kind from ledger_transfers where source_id = $1 order by id', [withdrawalId]);
  expect(booked.map(({ kind }) => kind)).toEqual(['hold', 'void']);
});
