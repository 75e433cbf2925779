import type { Database, Statement } from '#server/db/database.ts';

/** So many transfers are closed by one statement: it takes a second, and not what the first closing of an old house would. */
const TRANSFERS_AT_ONCE = 20_000;

/**
 * Sums up everything that is booked so far, so that later readers begin there. Ids are given out before their transactions
 * commit: only when nobody can be writing a transfer is "up to here" a fact. The lock that says so is held for one read, not
 * for the summing. Entries never change, so a closing never has to.
 *
 * A closing keeps the accounts that moved since the one before it; what many transfers moved is closed in several, each in a
 * transaction of its own and each right by itself. One that dies leaves those before it, and the next begins there.
 *
 * @returns through which transfer it is closed; null when nothing was added since the last time
 */
export async function closeBalances(
  deps: { db: Database },
  input: { transfersAtOnce: number } = { transfersAtOnce: TRANSFERS_AT_ONCE },
): Promise<{ throughTransferId: bigint | null }> {
  const last = await deps.db.transaction(async (tx) => {
    await tx.query(lockTransfersSql, []);
    const [row] = await tx.query<{ id: string | null }>(findLastTransferSql, []);
    return row?.id ?? null;
  });
  let through: bigint | null = null;
  for (let next = last; next !== null; ) {
    next = await closeSome(deps, last, input.transfersAtOnce);
    if (next !== null) through = BigInt(next);
  }
  return { throughTransferId: through };
}

/** Two closers at once: the second waits, and begins where the first one ended. */
async function closeSome(deps: { db: Database }, last: string | null, limit: number): Promise<string | null> {
  return await deps.db.transaction(async (tx) => {
    await tx.query(lockClosingsSql, []);
    const [some] = await tx.query<{ after: string; through: string | null }>(findSomeSql, [last, limit]);
    if (some === undefined || some.through === null) return null;
    await tx.query(closeSql, [some.after, some.through]);
    return some.through;
  });
}

/** Against writers alone: readers do not notice. */
const lockTransfersSql: Statement = {
  name: 'lock_ledger_transfers',
  text: 'lock table ledger_transfers in share row exclusive mode',
};

const findLastTransferSql: Statement = {
  name: 'find_last_transfer',
  text: `select max(id) as id from ledger_transfers where id > coalesce((select max(through_transfer_id) from ledger_closings), 0)`,
};

/** In a statement of its own: the next one sees what whoever held the lock before has written. */
const lockClosingsSql: Statement = {
  name: 'lock_ledger_closings',
  text: 'lock table ledger_closings in share row exclusive mode',
};

const findSomeSql: Statement = {
  name: 'find_transfers_to_close',
  text: `
    with before as (select coalesce(max(l.through_transfer_id), 0) as id from ledger_closings l)
    select b.id as after, (select max(s.id) from (
      select t.id from ledger_transfers t where t.id > b.id and t.id <= $1::bigint order by t.id limit $2::integer) s) as through
    from before b`,
};

/** What each account that moved came to before, by its newest row, and what moved it. */
const closeSql: Statement = {
  name: 'close_balances',
  text: `
    with closing as (
      insert into ledger_closings (through_transfer_id) values ($2::bigint) returning id
    ), moved as (
      select s.account_id, sum(s.debits) as debits, sum(s.credits) as credits
      from (
        select e.debit_account_id as account_id, e.amount_minor as debits, 0 as credits from ledger_entries e
          where e.transfer_id > $1::bigint and e.transfer_id <= $2::bigint
        union all
        select e.credit_account_id, 0, e.amount_minor from ledger_entries e
          where e.transfer_id > $1::bigint and e.transfer_id <= $2::bigint
      ) s group by 1
    )
    insert into ledger_closed_balances (closing_id, account_id, debits_minor, credits_minor)
    select g.id, m.account_id, m.debits + coalesce(o.debits_minor, 0), m.credits + coalesce(o.credits_minor, 0)
    from closing g cross join moved m left join lateral (
      select c.debits_minor, c.credits_minor from ledger_closed_balances c
      where c.account_id = m.account_id order by c.closing_id desc limit 1
    ) o on true`,
};
