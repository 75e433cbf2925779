import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { findOverview } from '#server/operator/find-overview.ts';
import { beginRun } from '#server/reconciliation/begin-run.ts';
import { openCaseOfFinding } from '#server/reconciliation/open-case-of-finding.ts';
import { runReconciliation } from '#server/reconciliation/run-reconciliation.ts';
import { cancelWithdrawal } from '#server/withdrawals/cancel-withdrawal.ts';
import { pollTransfer } from '#server/withdrawals/poll-transfer.ts';
import { processWithdrawal } from '../../worker/processors/withdrawal-processor.ts';
import { createDispatchWorld, type DispatchWorld } from '../../worker/test-support/dispatch-world.ts';

let world: DispatchWorld;
beforeEach(async () => {
  world = await createDispatchWorld();
  await world.seedControl();
});
afterEach(() => world.close());

const DAY_MS = 86_400_000;
async function reconcile(): Promise<string> {
  await world.advanceClock(world.tools.times.reconcileIntervalMs + 1);
  const begun = await beginRun(world, { intervalMs: world.tools.times.reconcileIntervalMs });
  if (begun === null) throw new Error('no run is due');
  return (await runReconciliation(world.tools, { runId: begun.runId, windowMs: DAY_MS })).outcome;
}
const found = () =>
  world.rows(
    `select books, kind, subject, detail from reconciliation_discrepancies where books <> 'balances' order by kind`,
  );
async function paid() {
  const requested = await world.request();
  await processWithdrawal(world.tools, requested);
  return requested;
}
const mode = async () => (await world.rows('select mode from protocol_settings'))[0]?.mode;

it('books that agree leave a run and nothing else', async () => {
  await paid();
  expect(await reconcile()).toBe('agreed');
  expect(await found()).toEqual([]);
});

it('a transfer that custody lost is missing there, and is shown and not put right', async () => {
  const { key, withdrawalId } = await paid();
  world.custody.transfers.delete(key);
  await world.advanceClock(10_000);
  expect(await reconcile()).toBe('discrepancies');
  expect(await found()).toMatchObject([{ books: 'ours_custody', kind: 'missing_there', subject: key }]);
  expect(await world.row(withdrawalId)).toMatchObject({ status: 'submitted' });
});

it('DB19: the same amount in other digits is no finding', async () => {
  const { key } = await paid();
  const shown = world.custody.transferOf(key);
  world.custody.transfers.set(key, { ...shown, amount: '25.00000000' });
  await reconcile();
  expect(await found()).toEqual([]);
});

it('another amount differs, and the finding is one however often it is seen', async () => {
  const { key } = await paid();
  const shown = world.custody.transferOf(key);
  world.custody.transfers.set(key, { ...shown, amount: '26' });
  await reconcile();
  await reconcile();
  expect(await found()).toMatchObject([{ kind: 'differs', subject: key, detail: { fields: ['amount'] } }]);
});

it('two transfers under one reference are there twice, on one page and across pages', async () => {
  const first = await paid();
  const second = await paid();
  for (const { key } of [first, second]) {
    const copy = { ...world.custody.transferOf(key), id: `tr_${randomUUID()}` };
    world.custody.transfers.set(`copy of ${key}`, copy);
  }
  world.custody.pageSize = 3;
  await reconcile();
  expect((await found()).map((row) => [row.kind, row.subject]).sort()).toEqual(
    [first.key, second.key].map((key) => ['twice', key]).sort(),
  );
});

it('a refused transfer under an unknown reference is missing here and moves nobody: our memory is not in question', async () => {
  const { key } = await paid();
  const reference = randomUUID();
  world.custody.transfers.set(reference, {
    ...world.custody.transferOf(key),
    id: 'tr_refused',
    externalId: reference,
    status: 'refused',
    final: true,
  });
  expect(await reconcile()).toBe('discrepancies');
  expect(await found()).toMatchObject([{ kind: 'missing_here', subject: reference }]);
  expect(await mode()).toBe('normal');
});

it('a transfer proved after a void is booked once as late, in the transaction that opens the case', async () => {
  const { withdrawalId, key } = await world.request();
  const seen = await paid();
  expect(await cancelWithdrawal(world, { withdrawalId, customerId: world.customerId })).toMatchObject({
    kind: 'cancelled',
  });
  const row = await world.row(withdrawalId);
  await world.rows(
    `insert into withdrawal_transactions (withdrawal_id, transaction_hash, source, dead_at, dead_reason, cost_settled_at)
     values ($1, $2, 'look_up', protocol_now(), 'replaced', protocol_now())`,
    [withdrawalId, `0x${'ab'.repeat(32)}`],
  );
  world.custody.transfers.set(key, {
    ...world.custody.transferOf(seen.key),
    id: 'tr_late',
    externalId: key,
    address: String(row.address),
  });
  expect(await reconcile()).toBe('look_up_only');
  await reconcile();
  expect(await world.rows('select kind from cases where withdrawal_id = $1', [withdrawalId])).toEqual([
    { kind: 'transfer_after_end' },
  ]);
  const late = await world.rows(
    `select t.kind, d.kind as debit, c.kind as credit, e.amount_minor from ledger_transfers t
     join ledger_entries e on e.transfer_id = t.id join ledger_accounts d on d.id = e.debit_account_id
     join ledger_accounts c on c.id = e.credit_account_id where t.source_id = $1 order by t.id`,
    [withdrawalId],
  );
  expect(late.map((one) => one.kind)).toEqual(['hold', 'void', 'late']);
  expect(late[2]).toMatchObject({ debit: 'customer_receivable', credit: 'custody_hot', amount_minor: '25000000' });
  const costs = await world.rows('select cost_settled_at from withdrawal_transactions where withdrawal_id = $1', [
    withdrawalId,
  ]);
  expect(costs, 'what it cost after all is asked for again').toEqual([{ cost_settled_at: null }]);
  expect(await world.row(withdrawalId)).toMatchObject({ status: 'cancelled' });
});

const pauses = () => world.rows('select scope, target, reason from switches');
/** What our books say lies in the hot wallet of USDC. */
async function booked(): Promise<bigint> {
  const [book] = await world.rows(
    `select (s.debits_minor - s.credits_minor)::text as minor from ledger_account_sums() s where s.account_id = ledger_house_account('USDC', 'custody_hot')`,
  );
  return BigInt(String(book?.minor));
}
// With two zeros more than we keep: custody writes numbers in its own way. (DB19)
const whole = (minor: bigint) => `${minor / 1_000_000n}.${String(minor % 1_000_000n).padStart(6, '0')}00`;
// The control is under way all the time: it may have left, and be set aside besides.
const CONTROL = 2n * 1_111_111n;
const balance = (minor: bigint) => [{ asset: 'USDC', network: 'ethereum', address: null, available: whole(minor) }];

it('a deficit beyond the band pauses the asset at the first look, and a surplus is a finding that pauses nothing', async () => {
  const inBooks = await booked();
  world.custody.balances = balance(inBooks + 1n);
  expect(await reconcile()).toBe('discrepancies');
  expect(await pauses()).toEqual([]);
  world.custody.balances = balance(inBooks - CONTROL);
  expect(await reconcile()).toBe('agreed');
  world.custody.balances = balance(inBooks - CONTROL - 1n);
  await reconcile();
  expect(await pauses()).toEqual([{ scope: 'asset', target: 'USDC', reason: 'breaker: deficit' }]);
});

it('what is under way may have left the wallet and be set aside besides, and is no deficit', async () => {
  const { withdrawalId } = await paid();
  const { amount_minor: amount } = await world.row(withdrawalId);
  const least = (await booked()) - CONTROL - 2n * BigInt(String(amount));
  world.custody.balances = balance(least);
  expect(await reconcile()).toBe('agreed');
  world.custody.balances = balance(least - 1n);
  expect(await reconcile()).toBe('discrepancies');
  expect(await pauses()).toMatchObject([{ target: 'USDC' }]);
});

it('what we have ended and custody has not may be set aside still, and is no deficit until its list says otherwise', async () => {
  const { withdrawalId, key } = await paid();
  const { amount_minor: amount } = await world.row(withdrawalId);
  const transfer = world.custody.transferOf(key);
  Object.assign(transfer, { status: 'failed', final: true, failureCode: 'provider_failed' });
  await world.advanceClock(1_000);
  await world.makeDue(withdrawalId);
  await pollTransfer(world.tools, { withdrawalId });
  expect(await world.row(withdrawalId)).toMatchObject({ status: 'failed' });
  Object.assign(transfer, { final: false });
  world.custody.balances = balance((await booked()) - CONTROL - BigInt(String(amount)));
  await reconcile();
  expect(await pauses()).toEqual([]);
  Object.assign(transfer, { final: true });
  await world.advanceClock(2 * 60_000);
  await reconcile();
  expect(await pauses()).toMatchObject([{ target: 'USDC', reason: 'breaker: deficit' }]);
});

it('a wallet that lacks something at one look and not at the next was read between two bookings', async () => {
  const least = (await booked()) - CONTROL;
  world.custody.balances = balance(least - 1n);
  const { custody } = world.tools;
  let looks = 0;
  const moving: typeof custody = Object.assign(Object.create(custody), {
    balances: async () => {
      looks += 1;
      if (looks === 2) world.custody.balances = balance(least);
      return await custody.balances();
    },
  });
  await world.advanceClock(world.tools.times.reconcileIntervalMs + 1);
  const begun = await beginRun(world, { intervalMs: world.tools.times.reconcileIntervalMs });
  const run = { runId: begun?.runId ?? '', windowMs: DAY_MS };
  expect(await runReconciliation({ ...world.tools, custody: moving }, run)).toEqual({ outcome: 'agreed' });
  expect(looks).toBe(2);
  expect(await pauses()).toEqual([]);
});

it('a credited deposit that is not found again below the cursor is one finding, until two people have closed its case', async () => {
  await world.rows(`insert into chain_cursors (network_id, block_number, block_hash) values ('ethereum', 9, 'head')`);
  await world.rows(
    `with effect as (
       insert into chain_effects (network_id, transaction_hash, ordinal, from_address, to_address, amount_minor, block_number, block_hash, state)
       values ('ethereum', 'gone', 0, 'payer', 'payee', 7, 10, 'before', 'orphaned') returning id
     ) insert into deposits (effect_id, customer_id, asset_id, amount_minor) select id, $1, 'ETH', 7 from effect`,
    [world.customerId],
  );
  await reconcile();
  // Above the cursor it was not looked for yet.
  expect(await found()).toEqual([]);
  await world.rows('update chain_cursors set block_number = 10');
  await reconcile();
  await reconcile();
  const detail = { customerId: world.customerId, asset: 'ETH', amountMinor: '7' };
  expect(await found()).toMatchObject([{ books: 'ours_chain', kind: 'missing_there', subject: 'gone 0', detail }]);
  const house = await findOverview({ db: world.db, room: undefined });
  expect(house).toMatchObject({ openFindings: 1, oldestSeconds: { findings: expect.any(Number) } });

  const [finding] = await world.rows(`select id from reconciliation_discrepancies where subject = 'gone 0'`);
  const asked = { discrepancyId: String(finding?.id), reason: 'the node does not know it', actorId: world.customerId };
  expect(await openCaseOfFinding(world, asked)).toEqual({ kind: 'opened' });
  const stopped = await world.rows(
    `select customer_id, c.payouts_stopped_reason as reason from cases join customers c on c.id = customer_id`,
  );
  expect(stopped).toEqual([{ customer_id: world.customerId, reason: 'found_by_reconciliation' }]);
  // In place of two people with a second factor.
  await world.rows('alter table cases disable trigger user');
  await world.rows('alter table cases drop constraint cases_closed_by_two');
  await world.rows(`update cases set closed_at = protocol_now(), closed_reason = 'booked back'`);
  await world.rows(
    `update reconciliation_discrepancies set closed_at = protocol_now(), closed_by = $1, closed_reason = 'booked back' where id = $2`,
    [world.customerId, finding?.id],
  );
  await reconcile();
  expect(await found()).toHaveLength(1);
});

it('a list that breaks off is a run that failed, and proves nothing', async () => {
  const { key } = await paid();
  world.custody.transfers.delete(key);
  world.custody.lookUps = 'fail';
  expect(await reconcile()).toBe('failed');
  expect(await found()).toEqual([]);
});

it.each(['keep_discrepancies', 'end_reconciliation'])(
  'EC90: a comparison whose worker dies at %s is decided again, with the same findings, once',
  async (statement) => {
    const { key, withdrawalId } = await paid();
    world.custody.transfers.delete(key);
    await world.advanceClock(world.tools.times.reconcileIntervalMs + 1);
    const begun = await beginRun(world, { intervalMs: world.tools.times.reconcileIntervalMs });
    const { db } = world;
    const dying: typeof db = Object.assign(Object.create(db), {
      query: (asked: Parameters<typeof db.query>[0], values: readonly unknown[]) =>
        asked.name === statement ? Promise.reject(new Error('killed')) : db.query(asked, values),
    });
    const run = runReconciliation({ ...world.tools, db: dying }, { runId: begun?.runId ?? '', windowMs: DAY_MS });
    await expect(run).rejects.toThrow('killed');
    // Nobody takes over while the dead one could still be at work.
    await expect(reconcile()).rejects.toThrow('no run is due');
    await world.advanceClock(15 * 60_000);
    expect(await reconcile()).toBe('discrepancies');
    expect(await found()).toMatchObject([{ books: 'ours_custody', kind: 'missing_there', subject: key }]);
    expect(await world.row(withdrawalId)).toMatchObject({ status: 'submitted' });
    const [dead] = await world.rows('select outcome, reason from reconciliation_runs order by id limit 1');
    expect(dead).toEqual({ outcome: 'failed', reason: 'its worker ended' });
  },
);

it('people who ask twice get one run, and two workers begin one; a form that is pressed again asks for no other', async () => {
  const { askReconciliation } = await import('#server/reconciliation/ask-reconciliation.ts');
  const ask = (actorId: string, deedId: string = randomUUID()) => askReconciliation(world, { actorId, deedId });
  const deedId = randomUUID();
  const asked = await Promise.all([ask('olga', deedId), ask('olga', deedId), ask('olga', deedId), ask('petra')]);
  expect(new Set(asked.map((answer) => (answer.kind === 'asked' ? answer.runId : answer.kind))).size).toBe(1);
  const begun = await Promise.all(Array.from({ length: 4 }, () => beginRun(world, { intervalMs: DAY_MS })));
  expect(begun.filter((run) => run !== null)).toMatchObject([{ cause: 'demand' }]);
  expect(await ask('olga', deedId)).toEqual(asked[0]);
  expect(await ask('petra', deedId)).toMatchObject({ kind: 'refused', refusal: { code: 'changed_meanwhile' } });
  const written = await world.rows(`select actor_id from audit_log where action = 'reconciliation.ask' order by 1`, []);
  expect(written).toEqual([{ actor_id: 'olga' }, { actor_id: 'petra' }]);
  expect(await world.rows(`select 1 from reconciliation_runs where cause = 'demand'`, [])).toHaveLength(1);
});

it('a list of any length is walked in the memory of a page (RECONCILE_TRANSFERS=100000 for the long one)', async () => {
  const template = world.custody.transferOf((await paid()).key);
  world.custody.script = [];
  const total = Number(process.env.RECONCILE_TRANSFERS ?? 20_000);
  world.custody.endless = { total, transfer: { ...template, status: 'refused', final: true } };
  globalThis.gc?.();
  const before = process.memoryUsage().heapUsed;
  let peak = 0;
  const timer = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage().heapUsed - before);
  }, 20);
  await reconcile();
  clearInterval(timer);
  const [run] = await world.rows('select transfers, findings from reconciliation_runs order by id desc limit 1');
  expect(run).toEqual({ transfers: total, findings: total });
  // One page of two hundred is under a megabyte; the rest is the collector's leisure.
  expect(peak).toBeLessThan(120 * 1024 * 1024);
}, 300_000);
