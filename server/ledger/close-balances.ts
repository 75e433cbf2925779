import type { Database, Statement } from '#server/db/database.ts';

/**
 * Sums up everything that is booked so far, so that later readers begin there. Ids are given out before their transactions
 * commit: only when nobody can be writing a transfer is "up to here" a fact. The lock that says so is held for one read, not
 * for the summing. Entries never change, so a closing never has to.
 *
 * @returns through which transfer it is closed; null when nothing was added since the last time
 */
export async function closeBalances(deps: { db: Database }): Promise<{ throughTransferId: bigint | null }> {
  const through = await deps.db.transaction(async (tx) => {
    await tx.query(lockTransfersSql, []);
    const [row] = await tx.query<{ id: string | null }>(findLastTransferSql, []);
    return row?.id ?? null;
  });
  if (through === null) return { throughTransferId: null };
  const [closed] = await deps.db.query(closeSql, [through]);
  return { throughTransferId: closed === undefined ? null : BigInt(through) };
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

/** Two closers at once: the second finds the place taken and adds nothing. */
const closeSql: Statement = {
  name: 'close_balances',
  text: `
    with before as (
      select l.id, l.through_transfer_id from ledger_closings l order by l.id desc limit 1
    ), closing as (
      insert into ledger_closings (through_transfer_id) select $1
      where $1::bigint > coalesce((select through_transfer_id from before), 0)
      on conflict do nothing returning id
    ), moved as (
      select s.account_id, sum(s.debits) as debits, sum(s.credits) as credits
      from (
        select c.account_id, c.debits_minor as debits, c.credits_minor as credits from ledger_closed_balances c
          where c.closing_id = (select id from before)
        union all
        select e.debit_account_id, e.amount_minor, 0 from ledger_entries e
          where e.transfer_id > coalesce((select through_transfer_id from before), 0) and e.transfer_id <= $1::bigint
        union all
        select e.credit_account_id, 0, e.amount_minor from ledger_entries e
          where e.transfer_id > coalesce((select through_transfer_id from before), 0) and e.transfer_id <= $1::bigint
      ) s group by 1
    )
    insert into ledger_closed_balances (closing_id, account_id, debits_minor, credits_minor)
    select g.id, m.account_id, m.debits, m.credits from closing g, moved m returning closing_id`,
};
