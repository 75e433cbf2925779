import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openPerson, type TestPerson, type TestWeb } from '#server/api/api-world.test-support.ts';
import type { Database, Db } from '#server/db/database.ts';
import type { TestDatabase } from '#server/db/test-database.ts';
import { lookUpNow } from '#server/operator/look-up-now.ts';
import { openSeededWeb } from './seeded-web.test-support.ts';
import { parkInDoubt, proposalOf, seeDoubt, takeWithdrawal } from './test-support/parked-doubt.ts';

let database: TestDatabase;
let web: TestWeb;
let close: () => Promise<void>;
let alice: TestPerson;
let olga: TestPerson;
let oscar: TestPerson;
let auditor: TestPerson;

beforeAll(async () => {
  ({ database, web, close } = await openSeededWeb());
  olga = web.as(await openPerson(database.db, { role: 'operator' }));
  oscar = web.as(await openPerson(database.db, { role: 'approver' }));
  auditor = web.as(await openPerson(database.db, { role: 'auditor' }));
});
beforeEach(async () => {
  alice = web.as(await openPerson(database.db, { balances: { USDC: 1_000_000_000n } }));
});
afterAll(() => close());

const take = () => takeWithdrawal(alice);
const takeParkedDoubt = (proof: 'absence proved' | 'absence not proved') =>
  parkInDoubt({ database, customer: alice }, proof);
const confirm = (resolutionId: string) =>
  oscar.confirm<{ kind: string }>(
    'operator.doubts.confirm',
    { resolutionId },
    { deed: 'resolve', subject: resolutionId },
  );
const statusOf = async (id: string) =>
  (await database.run<{ status: string }>('select status from withdrawals where id = $1', [id]))[0]?.status;
const bookingsOf = async (id: string) =>
  (
    await database.run<{ kind: string }>('select kind from ledger_transfers where source_id = $1 order by id', [id])
  ).map(({ kind }) => kind);
const countDeeds = async (action: string, subject: string) =>
  (await database.run('select 1 from audit_log where action = $1 and subject = $2', [action, subject])).length;

test('OP03: nobody releases what is not proved absent, whoever agrees and however old it is', async () => {
  const id = await takeParkedDoubt('absence not proved');
  const doubt = await seeDoubt(olga, id);
  expect(doubt.absenceProved).toBe(false);
  const answer = await olga.mutate('operator.doubts.propose', proposalOf(doubt, 'release'));
  expect(answer.refusal).toMatchObject({
    code: 'changed_meanwhile',
    detail: expect.stringContaining('Nothing proves'),
  });
  expect(await statusOf(id)).toBe('in_doubt');
  expect(await bookingsOf(id)).toEqual(['hold']);
});

test('a release needs proof and a second person, and gives the hold back once', async () => {
  const id = await takeParkedDoubt('absence proved');
  const proposal = proposalOf(await seeDoubt(olga, id), 'release');
  expect((await olga.mutate<{ kind: string }>('operator.doubts.propose', proposal)).data.kind).toBe('proposed');
  const again = await olga.mutate<{ kind: string }>('operator.doubts.propose', proposal);
  expect(again.data.kind).toBe('already_proposed');
  const { resolutionId } = proposal;
  expect((await olga.mutate('operator.doubts.confirm', { resolutionId })).refusal?.code).toBe('second_person_needed');
  expect((await auditor.mutate('operator.doubts.confirm', { resolutionId })).refusal?.code).toBe('forbidden');
  expect(await statusOf(id)).toBe('in_doubt');
  // OP02: pressed twice at the same moment.
  const presses = await Promise.all([confirm(resolutionId), confirm(resolutionId)]);
  expect(presses.map((press) => press.refusal?.code ?? press.data.kind).sort()).toEqual(['already_done', 'released']);
  expect(await statusOf(id)).toBe('failed');
  expect(await bookingsOf(id)).toEqual(['hold', 'void']);
  expect(await countDeeds('withdrawal.confirm_resolution', id)).toBe(1);
});

test('a proposal about older evidence is confirmed by nobody', async () => {
  const id = await takeParkedDoubt('absence proved');
  const proposal = proposalOf(await seeDoubt(olga, id), 'release');
  await olga.mutate('operator.doubts.propose', proposal);
  await database.run('update withdrawals set fence = fence + 1 where id = $1', [id]);
  const answer = await confirm(proposal.resolutionId);
  expect(answer.refusal?.code).toBe('changed_meanwhile');
  expect(await statusOf(id)).toBe('in_doubt');
  expect((await seeDoubt(olga, id)).proposal).toBeNull();
});

test('EC73: handed back by two people, the machine goes on and nothing was decided for it', async () => {
  const id = await takeParkedDoubt('absence not proved');
  const proposal = proposalOf(await seeDoubt(olga, id), 'hand_back');
  await olga.mutate('operator.doubts.propose', proposal);
  const { resolutionId } = proposal;
  expect((await confirm(resolutionId)).data.kind).toBe('handed_back');
  const [row] = await database.run<{ due: boolean; parked: boolean }>(
    'select next_action_at <= protocol_now() as due, parked_at is not null as parked from withdrawals where id = $1',
    [id],
  );
  expect(row).toEqual({ due: true, parked: false });
  expect(await statusOf(id)).toBe('in_doubt');
});

test('OP03: a retry wakes the row once, sends nothing and erases nothing', async () => {
  const id = await takeParkedDoubt('absence not proved');
  const attempts = () =>
    database.run('select * from withdrawal_attempts where withdrawal_id = $1 order by attempt', [id]);
  const before = await attempts();
  const retry = () => olga.mutate<{ kind: string }>('operator.queues.retry', { kind: 'withdrawal', id });
  expect((await retry()).data.kind).toBe('woken');
  expect((await retry()).data.kind).toBe('awake');
  expect(await attempts()).toEqual(before);
  expect(await seeDoubt(olga, id)).toMatchObject({ status: 'in_doubt', parkedReason: 'attempts_exhausted' });
  expect(await countDeeds('withdrawal.retry', id)).toBe(1);
});

test('OP02: looked up by eight presses at once, it is looked up once', async () => {
  const id = await takeParkedDoubt('absence not proved');
  const press = () => olga.mutate<{ kind: string }>('operator.doubts.lookUpNow', { withdrawalId: id });
  const kinds = (await Promise.all(Array.from({ length: 8 }, press))).map(({ data }) => data.kind);
  expect(kinds.sort()).toEqual(['asked', ...Array.from({ length: 7 }, () => 'under_way')]);
  expect(await countDeeds('withdrawal.look_up', id)).toBe(1);
});

test('OP02: a press that began before the one that won finds the look-up under way', async () => {
  const id = await takeParkedDoubt('absence not proved');
  const press = (db: Database) => lookUpNow({ db }, { withdrawalId: id, actorId: olga.userId });
  let winner = '';
  const slow: Database = Object.create(database.db, {
    transaction: {
      value: (work: (tx: Db) => Promise<unknown>) =>
        database.db.transaction(async (tx) => {
          winner = (await press(database.db)).kind;
          return await work(tx);
        }),
    },
  });
  expect(await press(slow)).toEqual({ kind: 'under_way' });
  expect(winner).toBe('asked');
});

test('a queued withdrawal that is parked is claimed by nobody, and says so on the board', async () => {
  const id = await take();
  const park = () => olga.mutate<{ kind: string }>('operator.doubts.park', { withdrawalId: id, reason: 'smells odd' });
  expect((await park()).data.kind).toBe('parked');
  expect((await park()).data.kind).toBe('already_parked');
  const [row] = await database.run(
    'select (select reason from payout_stops(w)) as stop from withdrawals w where id = $1',
    [id],
  );
  expect(row).toEqual({ stop: 'parked' });
  const doubt = await seeDoubt(olga, id);
  expect(doubt.parkedReason).toBe('operator');
  // Nothing was sent, so there is nothing to release; two people give it back to the machine.
  expect((await olga.mutate('operator.doubts.propose', proposalOf(doubt, 'release'))).status).toBe(409);
  const back = proposalOf(doubt, 'hand_back');
  await olga.mutate('operator.doubts.propose', back);
  expect((await confirm(back.resolutionId)).data.kind).toBe('handed_back');
  const [free] = await database.run(
    'select (select reason from payout_stops(w)) as stop, w.status from withdrawals w where id = $1',
    [id],
  );
  expect(free).toEqual({ stop: null, status: 'queued' });
});

test('an operator cancels for a customer what was not sent, once, and never what may have been', async () => {
  const id = await take();
  const cancel = (who: TestPerson, withdrawalId = id) =>
    who.mutate<{ kind: string }>('operator.doubts.cancel', { withdrawalId, reason: 'asked for by letter' });
  expect((await cancel(auditor)).refusal?.code).toBe('forbidden');
  const kinds = (await Promise.all([cancel(olga), cancel(olga)])).map(({ data }) => data.kind);
  expect(kinds.sort()).toEqual(['already_cancelled', 'cancelled']);
  expect(await statusOf(id)).toBe('cancelled');
  expect(await bookingsOf(id)).toEqual(['hold', 'void']);
  expect(await countDeeds('withdrawal.cancel', id)).toBe(1);
  const [entry] = await database.run(
    `select actor, reason, evidence from withdrawal_history where withdrawal_id = $1 and to_status = 'cancelled'`,
    [id],
  );
  expect(entry).toEqual({
    actor: olga.userId,
    reason: 'cancelled_by_operator',
    evidence: { note: 'asked for by letter' },
  });
  const doubt = await takeParkedDoubt('absence proved');
  expect((await cancel(olga, doubt)).data.kind).toBe('too_late');
  expect(await statusOf(doubt)).toBe('in_doubt');
});
