import { afterAll, beforeAll, expect, it } from 'vitest';
import { createGuardDatabase, type GuardDatabase } from './guard-database.ts';
import { ADA } from './house.ts';
import { tryPlainSql } from './try-plain-sql.ts';

let database: GuardDatabase;
beforeAll(async () => {
  database = await createGuardDatabase();
});
afterAll(() => database.drop());

const given = `select given_withdrawal('completed');
  insert into withdrawal_transactions (withdrawal_id, transaction_hash, source) values (given_id('completed'), '0xabc', 'custody');
  insert into audit_log (actor_id, action, subject, previous_hash, hash) values ('olga', 'pause', 'all', '0', '1')`;

/** Table, a column to write over, and the guard; null where single columns may be written. */
const KEPT: readonly (readonly [table: string, column: string | null, guard: string])[] = [
  ['withdrawals', null, 'withdrawals_never_deleted'],
  ['withdrawal_attempts', null, 'withdrawal_attempts_never_deleted'],
  ['withdrawal_transactions', null, 'withdrawal_transactions_never_deleted'],
  ['withdrawal_history', 'reason', 'withdrawal_history_append_only'],
  ['withdrawal_legal_transitions', 'to_status', 'withdrawal_legal_transitions_fixed'],
  ['ledger_accounts', 'kind', 'ledger_accounts_append_only'],
  ['ledger_transfers', 'created_at', 'ledger_transfers_append_only'],
  ['ledger_entries', 'amount_minor', 'ledger_entries_append_only'],
  ['audit_log', 'action', 'audit_log_append_only'],
];

for (const [table, column, guard] of KEPT) {
  it(`${guard}: rows of ${table} stay`, async () => {
    const deeds = [`delete from ${table}`, `truncate ${table} cascade`];
    if (column !== null) deeds.push(`update ${table} set ${column} = ${column}`);
    for (const deed of deeds) expect(await tryPlainSql(database.pool, { given, deed })).toBe(guard);
  });
}

it('balances stay: neither deleted nor emptied', async () => {
  expect(await tryPlainSql(database.pool, { deed: 'delete from customer_balances' })).toBe(
    'customer_balances_only_by_ledger',
  );
  expect(await tryPlainSql(database.pool, { deed: 'truncate customer_balances' })).toBe(
    'customer_balances_never_truncated',
  );
});

it('emptying what others refer to empties nothing', async () => {
  for (const table of ['customers', 'assets', 'networks', 'users']) {
    expect(await tryPlainSql(database.pool, { given, deed: `truncate ${table} cascade` })).not.toBe('allowed');
  }
});

it('ledger_entries_with_their_transfer: a transfer that was committed takes no further entry', async () => {
  const entry = (
    leg: number,
  ) => `insert into ledger_entries (transfer_id, leg, asset_id, debit_account_id, credit_account_id, amount_minor)
    select max(t.id), ${leg}, 'USDC', ledger_house_account('USDC', 'custody_hot'), (select available_account_id from customer_balances
      where customer_id = '${ADA}'), 5 from ledger_transfers t`;
  const transfer = `insert into ledger_transfers (asset_id, kind, source_id) values ('USDC', 'deposit', gen_random_uuid())`;
  await database.pool.query(`begin; ${transfer}; ${entry(1)}; commit`);
  expect(await tryPlainSql(database.pool, { deed: entry(2) })).toBe('ledger_entries_with_their_transfer');
  expect(await tryPlainSql(database.pool, { deed: `${transfer}; ${entry(1)}; ${entry(2)}` })).toBe('allowed');
  // A part of a transaction that can be taken back is still the same transaction.
  expect(
    await tryPlainSql(database.pool, {
      deed: `savepoint a; ${transfer}; savepoint b; ${entry(1)}; release b; ${entry(2)}`,
    }),
  ).toBe('allowed');
});
