import { describeGuards } from './describe-guards.ts';
import { ADA } from './house.ts';

const OLGA = '00000000-0000-4000-8000-0000000000e3';
const OSCAR = '00000000-0000-4000-8000-0000000000e4';
const STAFF = `insert into users (id, name, email, role) values ('${OLGA}', 'Olga', 'olga@guards.test', 'operator'), ('${OSCAR}', 'Oscar', 'oscar@guards.test', 'approver')`;
const ID = '00000000-0000-4000-8000-0000000000ee';
const account = (kind: string) =>
  `(select id from ledger_accounts where asset_id = 'USDC' and kind = '${kind}' and (customer_id is null or customer_id = '${ADA}'))`;

interface Proposal {
  readonly debit?: string;
  readonly credit?: string;
  readonly amount?: string;
  readonly reason?: string;
  readonly confirmedBy?: string;
  readonly asset?: string;
}

const propose = (more: Proposal = {}) => `
  insert into ledger_adjustments (id, asset_id, debit_account_id, credit_account_id, amount_minor, reason, proposed_by, confirmed_by, confirmed_at)
  values ('${ID}', '${more.asset ?? 'USDC'}', ${account(more.debit ?? 'suspense')}, ${account(more.credit ?? 'customer_available')}, ${more.amount ?? '5'},
    '${more.reason ?? 'found coins'}', '${OLGA}', ${more.confirmedBy ? `'${more.confirmedBy}', now()` : 'null, null'})`;
const confirm = (by: string) =>
  `select given_confirmed('${by}', 'adjust', '${ID}'); update ledger_adjustments set confirmed_by = '${by}', confirmed_at = now()`;
const book = (amount = 5) => `
  with t as (insert into ledger_transfers (asset_id, kind, source_id) values ('USDC', 'adjustment', '${ID}') returning id)
  insert into ledger_entries (transfer_id, leg, asset_id, debit_account_id, credit_account_id, amount_minor)
  select t.id, 1, 'USDC', ${account('suspense')}, ${account('customer_available')}, ${amount} from t`;
const PROPOSED = `${STAFF}; ${propose()}`;
const close = 'insert into ledger_closings (through_transfer_id) select max(id) from ledger_transfers';

describeGuards({
  'adjustments of the books by two people': [
    {
      guard: 'ledger_adjustments_two_people',
      keeps: 'whoever proposes does not confirm, and nobody does both at once',
      given: PROPOSED,
      refuses: confirm(OLGA),
      allows: confirm(OSCAR),
    },
    {
      guard: 'ledger_adjustments_immutable',
      keeps: 'what was proposed is what is confirmed',
      given: PROPOSED,
      refuses: 'update ledger_adjustments set amount_minor = 6',
      allows: confirm(OSCAR),
    },
    {
      guard: 'ledger_adjustments_confirmed_by_somebody',
      keeps: 'a confirmation has a name',
      given: PROPOSED,
      refuses: 'update ledger_adjustments set confirmed_at = now()',
      allows: confirm(OSCAR),
    },
    {
      guard: 'ledger_adjustments_never_held',
      keeps: 'holds end with their withdrawal and not by hand',
      given: STAFF,
      refuses: propose({ credit: 'customer_held' }),
      allows: propose({ credit: 'customer_receivable' }),
    },
    {
      guard: 'ledger_adjustments_two_accounts',
      keeps: 'an adjustment has two sides',
      given: STAFF,
      refuses: propose({ credit: 'suspense' }),
      allows: propose({ credit: 'network_costs' }),
    },
    {
      guard: 'ledger_adjustments_amount_positive',
      keeps: 'an adjustment moves something, forwards',
      given: STAFF,
      refuses: propose({ amount: '0' }),
      allows: propose({ amount: '1' }),
    },
    {
      guard: 'ledger_adjustments_reason',
      keeps: 'an adjustment says why',
      given: STAFF,
      refuses: propose({ reason: '' }),
      allows: propose({ reason: 'fee' }),
    },
    {
      guard: 'ledger_adjustments_debit_same_asset',
      keeps: 'no asset is paid from the account of another',
      given: `${STAFF}; alter table ledger_adjustments drop constraint ledger_adjustments_credit_same_asset`,
      refuses: propose({ asset: 'ETH' }),
      allows: propose(),
    },
    {
      guard: 'ledger_adjustments_credit_same_asset',
      keeps: 'no asset is paid into the account of another',
      given: `${STAFF}; alter table ledger_adjustments drop constraint ledger_adjustments_debit_same_asset`,
      refuses: propose({ asset: 'ETH' }),
      allows: propose(),
    },
    {
      guard: 'ledger_adjustments_never_deleted',
      keeps: 'a proposal is remembered',
      given: PROPOSED,
      refuses: 'delete from ledger_adjustments',
      allows: confirm(OSCAR),
    },
    {
      guard: 'ledger_transfers_move_what_they_say',
      keeps: 'an adjustment is booked when two people agreed, by the amount they agreed on',
      given: PROPOSED,
      refuses: book(),
      allows: `${confirm(OSCAR)}; ${book()}`,
    },
    {
      guard: 'ledger_transfers_move_what_they_say',
      keeps: 'an adjustment of another amount than was agreed is none',
      given: `${PROPOSED}; ${confirm(OSCAR)}`,
      refuses: book(6),
      allows: book(5),
    },
  ],
  'closed balances': [
    {
      guard: 'ledger_closings_through_unique',
      keeps: 'a place in the book is closed once',
      given: close,
      refuses: close,
      allows: 'insert into ledger_closings (through_transfer_id) select max(id) + 1 from ledger_transfers',
    },
    {
      guard: 'ledger_closings_in_order',
      keeps: 'what is closed is not closed again to an earlier place',
      given: close,
      refuses: 'insert into ledger_closings (through_transfer_id) select max(id) - 1 from ledger_transfers',
      allows: 'insert into ledger_closings (through_transfer_id) select max(id) + 1 from ledger_transfers',
    },
    {
      guard: 'ledger_closings_append_only',
      keeps: 'what is closed is not opened',
      given: close,
      refuses: 'update ledger_closings set through_transfer_id = 0',
      allows: 'select 1',
    },
    {
      guard: 'ledger_closed_balances_append_only',
      keeps: 'a closed balance is not changed',
      given: close,
      refuses: 'update ledger_closed_balances set debits_minor = 0',
      allows: 'select 1',
    },
    {
      guard: 'ledger_closed_sums_append_only',
      keeps: 'a closed sum is not changed',
      given: close,
      refuses: 'update ledger_closed_sums set debits_minor = 0',
      allows: 'select 1',
    },
  ],
});
