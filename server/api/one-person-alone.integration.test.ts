import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openPerson, type TestPerson, type TestWeb } from '#server/api/api-world.test-support.ts';
import type { TestDatabase } from '#server/db/test-database.ts';
import { openSeededWeb } from './seeded-web.test-support.ts';
import { parkInDoubt, proposalOf, seeDoubt } from './test-support/parked-doubt.ts';

/** As in production: it reads and writes every row, and owns no table. */
const CLERK = `clerk_${process.pid}`;

let database: TestDatabase;
let web: TestWeb;
let close: () => Promise<void>;
let customer: TestPerson;
let olga: TestPerson;
let oscar: TestPerson;

beforeAll(async () => {
  ({ database, web, close } = await openSeededWeb());
  await database.run(`create role ${CLERK}`);
  await database.run(`grant select, insert, update, delete, truncate on all tables in schema public to ${CLERK}`);
  await database.run(`grant usage, select on all sequences in schema public to ${CLERK}`);
});
beforeEach(async () => {
  customer = web.as(await openPerson(database.db, { balances: { USDC: 1_000_000_000n } }));
  olga = web.as(await openPerson(database.db, { role: 'operator' }));
  oscar = web.as(await openPerson(database.db, { role: 'approver' }));
});
afterAll(async () => {
  await database.run(`drop owned by ${CLERK}`);
  await database.run(`drop role ${CLERK}`);
  await close();
});

/** All of it in one transaction, by the application's role. What refused it, at the latest when it commits. */
async function tryAsClerk(...statements: readonly string[]): Promise<string> {
  const client = await database.connect();
  try {
    await client.query(`set role ${CLERK}`);
    await client.query('begin');
    for (const statement of statements) await client.query(statement);
    await client.query('commit');
    return 'done';
  } catch (error) {
    const { constraint, code } = Object(error);
    return constraint ?? code;
  } finally {
    await client.end();
  }
}

const standOf = async (id: string) => {
  const [row] = await database.run<{ status: string; bookings: string }>(
    `select w.status, (select string_agg(t.kind, ' ') from ledger_transfers t where t.source_id = w.id) as bookings,
       (select count(*)::integer from withdrawal_attempts a where a.withdrawal_id = w.id and a.kind = 'send') as sends
     from withdrawals w where w.id = $1`,
    [id],
  );
  return row;
};
const UNTOUCHED = { status: 'in_doubt', bookings: 'hold', sends: 1 };

test.each(['operator', 'approver'] as const)(
  'OP03: one %s with a session and a second factor, alone, neither releases nor hands back, by whichever door',
  async (role) => {
    const mallory = role === 'operator' ? olga : oscar;
    for (const deed of ['release', 'hand_back'] as const) {
      const id = await parkInDoubt({ database, customer }, 'absence proved');
      const proposal = proposalOf(await seeDoubt(mallory, id), deed);
      const { resolutionId } = proposal;
      expect((await mallory.mutate<{ kind: string }>('operator.doubts.propose', proposal)).data.kind).toBe('proposed');
      const factor = { deed: 'resolve', subject: resolutionId } as const;
      const confirmed = await mallory.confirm('operator.doubts.confirm', { resolutionId }, factor);
      expect(confirmed.refusal?.code).toBe('second_person_needed');
      // The same id with the other deed is no new proposal, and changes nothing about the one that stands.
      const other = { ...proposal, deed: deed === 'release' ? 'hand_back' : 'release' };
      await mallory.mutate('operator.doubts.propose', other);
      expect((await seeDoubt(mallory, id)).proposal).toMatchObject({ deed });
      // Without the question: cancelled, woken, looked up. None of it ends a doubt or sends.
      const cancelled = await mallory.mutate<{ kind: string }>('operator.doubts.cancel', {
        withdrawalId: id,
        reason: 'mine',
      });
      expect(cancelled.data.kind).toBe('too_late');
      await mallory.mutate('operator.queues.retry', { kind: 'withdrawal', id });
      await mallory.mutate('operator.doubts.lookUpNow', { withdrawalId: id });
      expect(await standOf(id)).toEqual(UNTOUCHED);
    }
  },
);

test('OP03: one person with the application’s role in the database neither releases, sends again, books nor resumes', async () => {
  const id = await parkInDoubt({ database, customer }, 'absence proved');
  const proposed = (by: string, confirmedBy = 'null, null') =>
    `insert into withdrawal_resolutions (id, withdrawal_id, deed, fence, revision, reason, proposed_by, confirmed_by, confirmed_at)
     select gen_random_uuid(), w.id, 'release', w.fence, w.revision, 'mine', '${by}', ${confirmedBy} from withdrawals w where w.id = '${id}'`;
  const confirmed = (by: string) =>
    `update withdrawal_resolutions set confirmed_by = '${by}', confirmed_at = protocol_now() where withdrawal_id = '${id}'`;
  const released = `update withdrawals set status = 'failed', failure_code = 'never_sent', ended_at = protocol_now() where id = '${id}'`;
  const voided = `select ledger_void(w) from withdrawals w where w.id = '${id}'`;
  const tries: [what: string, refused: RegExp, ...statements: string[]][] = [
    ['release without a word', /^withdrawals_(released_by_two|failed_needs_proof)$/, released, voided],
    [
      'both people',
      /^withdrawal_resolutions_two_people$/,
      proposed(olga.userId),
      confirmed(olga.userId),
      released,
      voided,
    ],
    [
      'born confirmed',
      /^withdrawal_resolutions_two_people$/,
      proposed(olga.userId, `'${oscar.userId}', protocol_now()`),
    ],
    [
      'in another’s name',
      /^withdrawal_resolutions_confirmed$/,
      proposed(olga.userId),
      confirmed(oscar.userId),
      released,
      voided,
    ],
    ['in a customer’s name', /^withdrawal_resolutions_by_staff$/, proposed(customer.userId)],
    ['back to the queue', /^withdrawals_/, `update withdrawals set status = 'queued' where id = '${id}'`],
    ['give the hold back alone', /^(withdrawals|ledger)_/, voided],
    [
      'more coins',
      /^customer_balances_only_by_ledger$/,
      `update customer_balances set available_minor = available_minor + 1`,
    ],
    [
      'a booking of nobody',
      /^ledger_transfers_move_what_they_say$/,
      `with t as (insert into ledger_transfers (asset_id, kind, source_id) values ('USDC', 'adjustment', gen_random_uuid()) returning id)
       insert into ledger_entries (transfer_id, leg, asset_id, debit_account_id, credit_account_id, amount_minor)
       select t.id, 1, 'USDC', ledger_house_account('USDC', 'custody_hot'), ledger_house_account('USDC', 'suspense'), 5 from t`,
    ],
    [
      'another address',
      /^withdrawals_meaning_immutable$/,
      `update withdrawals set address = '0xmine' where id = '${id}'`,
    ],
    [
      'payouts go on',
      /^switches_/,
      `insert into switches (scope, reason, paused_by) values ('all', 'smells odd', '${olga.userId}')`,
      `update switches set resumed_by = '${oscar.userId}', resumed_at = protocol_now() where resumed_at is null`,
    ],
    ['no trace', /^audit_log_append_only$/, 'delete from audit_log'],
    ['no history', /^withdrawal_history_append_only$/, 'delete from withdrawal_history'],
    ['without guards', /^42501$/, 'alter table withdrawals disable trigger all'],
    ['as a replica', /^42501$/, 'set session_replication_role = replica'],
  ];
  const outcomes: Record<string, string> = {};
  for (const [what, refused, ...statements] of tries) {
    const by = await tryAsClerk(...statements);
    outcomes[what] = refused.test(by) ? 'refused' : by;
  }
  expect(outcomes).toEqual(Object.fromEntries(tries.map(([what]) => [what, 'refused'])));
  expect(await standOf(id)).toEqual(UNTOUCHED);
});
