import { generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPerson, type TestPerson, type TestWeb } from '#server/api/api-world.test-support.ts';
import { readStatementKeys } from '#server/custody/read-custody-statement.ts';
import type { TestDatabase } from '#server/db/test-database.ts';
import type { Doubt } from '#server/operator/find-doubts.ts';
import { openSeededWeb } from './seeded-web.test-support.ts';

const custody = generateKeyPairSync('ed25519');
let database: TestDatabase;
let web: TestWeb;
let close: () => Promise<void>;
let olga: TestPerson;
let oscar: TestPerson;

beforeAll(async () => {
  const key = custody.publicKey.export({ type: 'spki', format: 'der' }).toString('base64');
  const room = { queue: null, custodyAnswers: () => Promise.resolve(true), lab: null };
  ({ database, web, close } = await openSeededWeb({ room: { ...room, statementKeys: readStatementKeys([key]) } }));
  olga = web.as(await openPerson(database.db, { role: 'operator' }));
  oscar = web.as(await openPerson(database.db, { role: 'approver' }));
});
afterAll(() => close());

const STEPS = [
  `insert into withdrawal_attempts (withdrawal_id, attempt, kind, fence, provider, provider_account, body, body_sha256)
   values ($1, 1, 'send', 1, 'custody', 'main', 'bytes', 'hash')`,
  `update withdrawals set status = 'dispatching', fence = 1, provider = 'custody', provider_account = 'main' where id = $1`,
  `update withdrawals set status = 'submitted', transfer_id = 'tr_1' where id = $1`,
  `update withdrawals set status = 'broadcast', transaction_hash = '0xabc' where id = $1`,
  `update withdrawal_attempts set outcome = 'accepted', outcome_at = protocol_now() where withdrawal_id = $1`,
  `insert into withdrawal_transactions (withdrawal_id, transaction_hash, source, first_seen_at)
   values ($1, '0xabc', 'look_up', protocol_now() - interval '1 hour')`,
  `update withdrawals set parked_at = protocol_now(), parked_reason = 'given_up_unproved' where id = $1`,
];

const signed = (says: object) => {
  const body = JSON.stringify({ ...says, signedAt: new Date().toISOString() });
  return { body, signature: sign(null, Buffer.from(body), custody.privateKey).toString('base64') };
};

test('what custody gave up on a network that nobody of ours reads ends by its signed word and two people, and gives the hold back once', async () => {
  const alice = web.as(await openPerson(database.db, { balances: { USDC: 1_000_000_000n } }));
  const externalId = randomUUID();
  const body = { asset: 'USDC', network: 'ethereum', address: `0x${'ab'.repeat(20)}`, amount: '10' };
  const { withdrawalId } = (await alice.request(body, externalId)).data.withdrawal;
  for (const step of STEPS) await database.run(step, [withdrawalId]);
  const see = async () => {
    const { data } = await olga.query<{ items: Doubt[] }>('operator.doubts.list');
    const found = data.items.find((item) => item.withdrawalId === withdrawalId);
    if (found === undefined) throw new Error('not on the board');
    return found;
  };
  const attach = (statement: object) =>
    olga.mutate<{ kind: string }>('operator.doubts.attachStatement', {
      ...{ statementId: randomUUID(), withdrawalId },
      ...statement,
    });
  const propose = async (deed: string) => {
    const { fence, revision } = await see();
    const resolutionId = randomUUID();
    const proposal = { resolutionId, withdrawalId, deed, fence, revision, reason: 'custody signed' };
    return { resolutionId, refusal: (await olga.mutate('operator.doubts.propose', proposal)).refusal };
  };

  expect((await propose('release')).refusal?.detail).toContain('Nothing proves');
  const ofADoubt = signed({ statement: 'no_transfer', externalId, made: false, willMake: false });
  expect((await attach(ofADoubt)).refusal?.detail).toContain('not parked in doubt');
  const halfSaid = signed({ statement: 'never_paid', externalId, paid: false, willPay: true });
  expect((await attach(halfSaid)).refusal?.detail).toContain('does not say');
  expect((await attach(signed({ statement: 'never_paid', externalId, paid: false, willPay: false }))).data.kind).toBe(
    'attached',
  );
  expect((await see()).statement?.stands).toBe(true);
  expect((await propose('hand_back')).refusal).not.toBeNull();

  const { resolutionId } = await propose('release');
  expect((await olga.mutate('operator.doubts.confirm', { resolutionId })).refusal?.code).toBe('second_person_needed');
  const deed = { deed: 'resolve', subject: resolutionId } as const;
  const answer = await oscar.confirm<{ kind: string }>('operator.doubts.confirm', { resolutionId }, deed);
  expect(answer.data).toEqual({ kind: 'released' });
  const [row] = await database.run(
    `select w.status, w.failure_code, w.parked_at, t.dead_reason, b.held_minor,
       (select array_agg(l.kind order by l.id) from ledger_transfers l where l.source_id = w.id) as booked
     from withdrawals w join withdrawal_transactions t on t.withdrawal_id = w.id
     join customer_balances b on b.customer_id = w.customer_id and b.asset_id = w.asset_id where w.id = $1`,
    [withdrawalId],
  );
  const ended = { status: 'failed', failure_code: 'never_paid', parked_at: null, dead_reason: 'stated_by_custody' };
  expect(row).toEqual({ ...ended, held_minor: '0', booked: ['hold', 'void'] });
});
