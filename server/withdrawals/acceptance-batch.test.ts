import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { Db } from '#server/db/database.ts';
import { DatabaseError } from '#server/db/database-error.ts';
import { createAcceptanceBatch } from '#server/withdrawals/acceptance-batch.ts';
import type { AcceptanceCall } from '#server/withdrawals/acceptance-call.ts';

const CUSTOMER = '00000000-0000-4000-8000-000000000000';

function aCall(customer = CUSTOMER): AcceptanceCall {
  return {
    id: randomUUID(),
    key: randomUUID(),
    customer,
    asset: 'USDC',
    network: 'ethereum',
    address: `0x${randomUUID()}`,
    memo: null,
    amount: '1',
    fee: '1',
    fee_mode: 'on_top',
    refusal: null,
    needs_approval: false,
    look_alike_of: null,
    clicked_at: null,
    refused_daily_max: 50,
    value: null,
    reasons: [],
    totp_step: null,
    challenge: null,
    fingerprint: null,
  };
}

/** Answers a batch when it is told to, and what is asked alone at once. */
function heldDatabase() {
  const batches: { calls: AcceptanceCall[]; answer: () => void; fail: (error: unknown) => void }[] = [];
  const alone: unknown[] = [];
  const db: Db = {
    query: <Row extends object>(statement: { name: string }, values: readonly unknown[]) => {
      if (statement.name !== 'request_withdrawals') {
        const { key }: AcceptanceCall = JSON.parse(String(values[0]));
        alone.push(key);
        return Promise.resolve([{ outcome: 'new', idempotency_key: key }] as unknown as Row[]);
      }
      const calls: AcceptanceCall[] = JSON.parse(String(values[0]));
      return new Promise<Row[]>((resolve, reject) => {
        const rows = calls.map((call, index) => ({ ordinal: index + 1, outcome: 'new', idempotency_key: call.key }));
        // In another order than they were asked in: a place, not an order, says whose answer it is.
        batches.push({ calls, answer: () => resolve(rows.reverse() as unknown as Row[]), fail: reject });
      });
    },
  };
  return { db, batches, alone };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

test('what arrives in one turn goes together, what arrives meanwhile goes next, and each gets its own answer', async () => {
  const { db, batches } = heldDatabase();
  const accept = createAcceptanceBatch({ db });
  const calls = Array.from({ length: 7 }, () => aCall());
  const first = calls.slice(0, 3).map(accept);
  await turn();
  const second = calls.slice(3).map(accept);
  await turn();
  expect(batches.map((batch) => batch.calls.length)).toEqual([3]);
  batches[0]?.answer();
  await Promise.all(first);
  await turn();
  expect(batches.map((batch) => batch.calls.length)).toEqual([3, 4]);
  batches[1]?.answer();
  const rows = await Promise.all([...first, ...second]);
  expect(rows.map((row) => row.idempotency_key)).toEqual(calls.map((call) => call.key));
});

test('a batch has at most 64, and one is in flight', async () => {
  const { db, batches } = heldDatabase();
  const accept = createAcceptanceBatch({ db });
  const all = Array.from({ length: 100 }, () => accept(aCall()));
  await turn();
  expect(batches.map((batch) => batch.calls.length)).toEqual([64]);
  batches[0]?.answer();
  await turn();
  await turn();
  batches[1]?.answer();
  await Promise.all(all);
  expect(batches.map((batch) => batch.calls.length)).toEqual([64, 36]);
});

test.each(['refused', 'try_again', 'lock_timeout'] as const)(
  'a batch taken back as %s is made one by one',
  async (trouble) => {
    const { db, batches, alone } = heldDatabase();
    const accept = createAcceptanceBatch({ db });
    const calls = Array.from({ length: 9 }, () => aCall());
    const answers = calls.map(accept);
    await turn();
    batches[0]?.fail(new DatabaseError(trouble, new Error('said by the test')));
    const rows = await Promise.all(answers);
    expect(rows.map((row) => row.idempotency_key)).toEqual(calls.map((call) => call.key));
    expect([...alone].sort()).toEqual(calls.map((call) => call.key).sort());
  },
);

test.each(['outcome_unknown', 'not_reached'] as const)(
  'a batch that ends as %s is not repeated: each hears so',
  async (trouble) => {
    const { db, batches, alone } = heldDatabase();
    const accept = createAcceptanceBatch({ db });
    const answers = Promise.allSettled([accept(aCall()), accept(aCall())]);
    await turn();
    batches[0]?.fail(new DatabaseError(trouble, new Error('said by the test')));
    for (const settled of await answers) expect(settled).toMatchObject({ status: 'rejected', reason: { trouble } });
    expect(alone).toEqual([]);
    const later = accept(aCall());
    await turn();
    batches[1]?.answer();
    await expect(later).resolves.toMatchObject({ outcome: 'new' });
  },
);
