import { generateKeyPairSync, type KeyObject, randomUUID, sign } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openPerson, openTestWeb, type TestPerson, type TestWeb } from '#server/api/api-world.test-support.ts';
import { readStatementKeys } from '#server/custody/read-custody-statement.ts';
import type { TestDatabase } from '#server/db/test-database.ts';
import type { FaultLab } from '#server/operator/fault-lab.ts';
import type { Doubt } from '#server/operator/find-doubts.ts';
import type { SavedView } from '#server/operator/saved-views.ts';
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
});
beforeEach(async () => {
  olga = web.as(await openPerson(database.db, { role: 'operator' }));
  oscar = web.as(await openPerson(database.db, { role: 'approver' }));
});
afterAll(() => close());

/** Sent without an answer to a provider that honours no not-after: nothing that a look-up finds can prove its absence. */
async function takeHopelessDoubt(): Promise<{ withdrawalId: string; reference: string }> {
  const alice = web.as(await openPerson(database.db, { balances: { USDC: 1_000_000_000n } }));
  const reference = randomUUID();
  const body = { asset: 'USDC', network: 'ethereum', address: `0x${'ab'.repeat(20)}`, amount: '10' };
  const { withdrawalId } = (await alice.request(body, reference)).data.withdrawal;
  for (const step of STEPS) await database.run(step, [withdrawalId]);
  return { withdrawalId, reference };
}

const STEPS = [
  `insert into withdrawal_attempts (withdrawal_id, attempt, kind, fence, provider, provider_account, body, body_sha256, outcome, started_at)
   values ($1, 1, 'send', 1, 'custody', 'main', 'bytes', 'hash', 'in_doubt', protocol_now() - interval '1 hour')`,
  `update withdrawals set status = 'dispatching', fence = 1, provider = 'custody', provider_account = 'main' where id = $1`,
  `update withdrawals set status = 'in_doubt', fence = 2, parked_at = protocol_now(), parked_reason = 'attempts_exhausted' where id = $1`,
  `insert into withdrawal_attempts (withdrawal_id, attempt, kind, fence, provider, provider_account, outcome, outcome_at)
   values ($1, 2, 'look_up', 2, 'custody', 'main', 'not_found', protocol_now())`,
];

async function seeDoubt(withdrawalId: string): Promise<Doubt> {
  const { data } = await olga.query<{ items: Doubt[] }>('operator.doubts.list');
  const found = data.items.find((item) => item.withdrawalId === withdrawalId);
  if (found === undefined) throw new Error('not on the board');
  return found;
}

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
function statementOf(reference: string, more: object = {}, key: KeyObject = custody.privateKey) {
  const says = {
    statement: 'no_transfer',
    externalId: reference,
    made: false,
    willMake: false,
    signedAt: minutesAgo(0),
  };
  const body = JSON.stringify({ ...says, ...more });
  return { body, signature: sign(null, Buffer.from(body), key).toString('base64') };
}
const attach = (withdrawalId: string, statement: object) =>
  olga.mutate<{ kind: string }>('operator.doubts.attachStatement', {
    statementId: randomUUID(),
    withdrawalId,
    ...statement,
  });
async function proposeRelease(withdrawalId: string) {
  const { fence, revision } = await seeDoubt(withdrawalId);
  const proposal = {
    resolutionId: randomUUID(),
    withdrawalId,
    deed: 'release',
    fence,
    revision,
    reason: 'custody signed',
  };
  const answer = await olga.mutate('operator.doubts.propose', proposal);
  return { resolutionId: proposal.resolutionId, refused: answer.refusal?.detail ?? null };
}
const confirm = (resolutionId: string) =>
  oscar.confirm<{ kind: string }>(
    'operator.doubts.confirm',
    { resolutionId },
    { deed: 'resolve', subject: resolutionId },
  );
const statusOf = async (id: string) =>
  (await database.run<{ status: string }>('select status from withdrawals where id = $1', [id]))[0]?.status;

test('where nothing can prove absence, two people release on custody’s signed statement and on nothing less', async () => {
  const { withdrawalId, reference } = await takeHopelessDoubt();
  expect((await proposeRelease(withdrawalId)).refused).toContain('Nothing proves');
  const forged = statementOf(reference, {}, generateKeyPairSync('ed25519').privateKey);
  expect((await attach(withdrawalId, forged)).refusal?.detail).toContain('No key of custody');
  const halfSaid = await attach(withdrawalId, statementOf(reference, { willMake: true }));
  expect(halfSaid.refusal?.detail).toContain('does not say');
  const ofAnother = await attach(withdrawalId, statementOf(randomUUID()));
  expect(ofAnother.refusal?.detail).toContain('another reference');
  // What was signed before the send says nothing about it.
  expect((await attach(withdrawalId, statementOf(reference, { signedAt: minutesAgo(90) }))).data.kind).toBe('attached');
  expect((await proposeRelease(withdrawalId)).refused).toContain('Nothing proves');
  expect((await seeDoubt(withdrawalId)).statement?.stands).toBe(false);

  const statement = statementOf(reference);
  expect((await attach(withdrawalId, statement)).data.kind).toBe('attached');
  expect((await attach(withdrawalId, statement)).data.kind).toBe('already_attached');
  expect(await seeDoubt(withdrawalId)).toMatchObject({ absenceProved: false, statement: { stands: true } });
  const { resolutionId } = await proposeRelease(withdrawalId);
  expect((await olga.mutate('operator.doubts.confirm', { resolutionId })).refusal?.code).toBe('second_person_needed');
  expect((await oscar.mutate('operator.doubts.confirm', { resolutionId })).refusal?.code).toBe('step_up_required');
  expect((await confirm(resolutionId)).data).toEqual({ kind: 'released' });
  expect(await statusOf(withdrawalId)).toBe('failed');
  const [books] = await database.run(
    `select b.available_minor, b.held_minor from customer_balances b join withdrawals w on w.customer_id = b.customer_id and w.asset_id = b.asset_id
     where w.id = $1`,
    [withdrawalId],
  );
  expect(books).toEqual({ available_minor: '1000000000', held_minor: '0' });
  const [history] = await database.run<{ signed: boolean }>(
    `select evidence ->> 'statement' is not null as signed from withdrawal_history where withdrawal_id = $1 and to_status = 'failed'`,
    [withdrawalId],
  );
  expect(history?.signed).toBe(true);
});

test('a statement is new evidence, and a fact that comes after it takes its force', async () => {
  const { withdrawalId, reference } = await takeHopelessDoubt();
  await attach(withdrawalId, statementOf(reference, { signedAt: minutesAgo(1) }));
  const first = await proposeRelease(withdrawalId);
  await attach(withdrawalId, statementOf(reference));
  expect((await confirm(first.resolutionId)).refusal?.detail).toContain('newer look-up or fact');
  const second = await proposeRelease(withdrawalId);
  await database.run(
    `insert into inbox_events (provider, event_id, event_type, reference, body, body_sha256, signed_at)
     values ('custody', $1::text, 'transfer.broadcast', $1::uuid, 'body', 'hash', now())`,
    [reference],
  );
  expect((await confirm(second.resolutionId)).refusal?.detail).toContain('Absence is not proved');
  expect(await statusOf(withdrawalId)).toBe('in_doubt');
});

test('a statement that was written past the door is verified again before anything is released', async () => {
  const { withdrawalId, reference } = await takeHopelessDoubt();
  // Signed by custody, and before the send: it stands for nothing, and lends its signature to no other.
  await attach(withdrawalId, statementOf(reference, { signedAt: minutesAgo(90) }));
  const { body, signature } = statementOf(reference, {}, generateKeyPairSync('ed25519').privateKey);
  await database.run(
    `insert into custody_statements (id, withdrawal_id, body, signature, key_sha256, signed_at, attached_by)
     values (gen_random_uuid(), $1, $2::text, $3, repeat('a', 64), ($2::text::jsonb ->> 'signedAt')::timestamptz, $4)`,
    [withdrawalId, body, signature, olga.userId],
  );
  const { resolutionId } = await proposeRelease(withdrawalId);
  expect((await confirm(resolutionId)).refusal?.detail).toContain('no key of custody');
  expect(await statusOf(withdrawalId)).toBe('in_doubt');
});

test('what is broken in the lab, and what custody is asked to sign, is in the audit before it is done', async () => {
  const room = { queue: null, custodyAnswers: () => Promise.resolve(true), statementKeys: [] };
  const auditedBefore: unknown[] = [];
  const lab: FaultLab = new Proxy(Object.create(null), {
    get: () => async () => {
      const rows = await database.run('select action, subject, after from audit_log where actor_id = $1 order by seq', [
        olga.userId,
      ]);
      auditedBefore.push(rows.at(-1));
      return { kind: 'exists' };
    },
  });
  const demo = await openTestWeb(database.db, { room: { ...room, lab } });
  try {
    const { withdrawalId } = await takeHopelessDoubt();
    const caller = demo.as(olga);
    const fault = { kind: 'drop_answer', count: 1, share: null };
    expect((await caller.mutate('operator.lab.setFault', fault)).status).toBe(200);
    await caller.mutate('operator.lab.askStatement', { withdrawalId });
    expect(auditedBefore).toEqual([
      { action: 'lab.setFault', subject: 'demo', after: fault },
      { action: 'lab.askStatement', subject: withdrawalId, after: { withdrawalId } },
    ]);
  } finally {
    await demo.close();
  }
});

test('whoever is on duty keeps views of their own, on the server and for nobody else', async () => {
  const list = async (who: TestPerson) => (await who.query<{ items: SavedView[] }>('operator.views.list')).data.items;
  const keep = (who: TestPerson, name: string, query: string) =>
    who.mutate('operator.views.save', { viewId: randomUUID(), name, query });
  await keep(olga, 'Stuck XRP', '?status=queued&search=XRP');
  await keep(olga, 'Mine', '?sort=newest');
  await keep(olga, 'Mine', '?status=failed');
  expect((await list(olga)).map(({ name, query }) => [name, query])).toEqual([
    ['Stuck XRP', '?status=queued&search=XRP'],
    ['Mine', '?status=failed'],
  ]);
  expect(await list(oscar)).toEqual([]);
  const [first] = await list(olga);
  await oscar.mutate('operator.views.forget', { viewId: first?.viewId });
  expect(await list(olga)).toHaveLength(2);
  await olga.mutate('operator.views.forget', { viewId: first?.viewId });
  expect((await list(olga)).map(({ name }) => name)).toEqual(['Mine']);
  await keep(olga, 'Mine', '?status=failed');
  await olga.mutate('operator.views.forget', { viewId: first?.viewId });
  const audited = await database.run(
    `select action, before ->> 'query' as before, after ->> 'query' as after from audit_log where action like 'view.%' order by seq`,
  );
  expect(audited, 'each change once, and nothing of what changed nothing').toEqual([
    { action: 'view.keep', before: null, after: '?status=queued&search=XRP' },
    { action: 'view.keep', before: null, after: '?sort=newest' },
    { action: 'view.keep', before: '?sort=newest', after: '?status=failed' },
    { action: 'view.forget', before: '?status=queued&search=XRP', after: null },
  ]);
  expect((await keep(olga, 'Elsewhere', 'https://elsewhere.test')).refusal?.code).toBe('request_malformed');
  const kept = await Promise.all(Array.from({ length: 22 }, (_, n) => keep(olga, `View ${n}`, '')));
  expect(kept.filter(({ refusal }) => refusal?.code === 'too_many_views')).toHaveLength(3);
});
