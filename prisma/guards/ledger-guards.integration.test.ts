import { describeGuards } from './describe-guards.ts';
import { ADA, BEN, CARLA } from './house.ts';

const available = (person: string) =>
  `(select available_account_id from customer_balances where customer_id = '${person}' and asset_id = 'USDC')`;
const held = (person: string) =>
  `(select held_account_id from customer_balances where customer_id = '${person}' and asset_id = 'USDC')`;
const house = (kind: string, asset = 'USDC') => `ledger_house_account('${asset}', '${kind}')`;
const SOURCE = '00000000-0000-4000-8000-0000000000dd';

interface Booking {
  readonly kind?: string;
  readonly source?: string;
  readonly debit?: string;
  readonly credit?: string;
  readonly amount?: string;
  readonly asset?: string;
}

/** One transfer of one entry: a deposit of Ada's unless said otherwise. */
function book({ kind = 'deposit', source = `'${SOURCE}'`, asset = 'USDC', ...entry }: Booking = {}): string {
  const { debit = house('custody_hot'), credit = available(ADA), amount = '5' } = entry;
  return `with t as (insert into ledger_transfers (asset_id, kind, source_id) values ('USDC', '${kind}', ${source}) returning id)
    insert into ledger_entries (transfer_id, leg, asset_id, debit_account_id, credit_account_id, amount_minor)
    select t.id, 1, '${asset}', ${debit}, ${credit}, ${amount} from t`;
}

const secondLeg = (
  asset = 'USDC',
) => `insert into ledger_entries (transfer_id, leg, asset_id, debit_account_id, credit_account_id, amount_minor)
  select max(id), 2, '${asset}', ${house('custody_hot')}, ${available(ADA)}, 5 from ledger_transfers`;
const settle = (verb: string, status: string) =>
  `select ledger_${verb}(w) from withdrawals w where w.id = given_id('${status}')`;
const openBalance = (
  a: string,
  h: string,
) => `insert into customer_balances (customer_id, asset_id, available_account_id, held_account_id)
  values ('${CARLA}', 'USDC', ${a}, ${h})`;
const carlas = (kind: string) => `(select id from ledger_accounts where customer_id = '${CARLA}' and kind = '${kind}')`;
const CARLA_HAS_ACCOUNTS = `insert into customers (id) values ('${CARLA}');
  insert into ledger_accounts (asset_id, kind, customer_id) values ('USDC', 'customer_available', '${CARLA}'), ('USDC', 'customer_held', '${CARLA}')`;
const ETH_FOR_ADA = `insert into ledger_accounts (asset_id, kind, customer_id) values ('ETH', 'customer_available', '${ADA}')`;

describeGuards({
  'the accounts': [
    {
      guard: 'ledger_accounts_kind',
      keeps: 'the chart of accounts is closed',
      refuses: `insert into ledger_accounts (asset_id, kind) values ('USDC', 'petty_cash')`,
      allows: ETH_FOR_ADA,
    },
    {
      guard: 'ledger_accounts_unique',
      keeps: 'the house has one account of a kind',
      refuses: `insert into ledger_accounts (asset_id, kind) values ('USDC', 'custody_hot')`,
      allows: ETH_FOR_ADA,
    },
    {
      guard: 'ledger_accounts_id_asset_unique',
      keeps: 'an account and its asset are named together by every entry',
      given: 'alter table ledger_accounts drop constraint ledger_accounts_pkey cascade',
      refuses: `insert into ledger_accounts (id, asset_id, kind, customer_id) overriding system value values (${available(ADA)}, 'USDC', 'customer_available', '${CARLA}')`,
      allows: ETH_FOR_ADA,
    },
    {
      guard: 'ledger_accounts_customer_iff_customer_kind',
      keeps: "a customer's account has a customer, the house's has none",
      refuses: `insert into ledger_accounts (asset_id, kind) values ('ETH', 'customer_available')`,
      allows: ETH_FOR_ADA,
    },
    {
      guard: 'ledger_accounts_append_only',
      keeps: 'an account never changes its owner',
      refuses: `update ledger_accounts set customer_id = '${BEN}' where id = ${available(ADA)}`,
      allows: ETH_FOR_ADA,
    },
  ],
  'the balances': [
    {
      guard: 'customer_balances_only_by_ledger',
      keeps: 'a balance moves with an entry and never alone',
      refuses: `update customer_balances set available_minor = available_minor + 1 where customer_id = '${ADA}'`,
      allows: book(),
    },
    {
      guard: 'customer_balances_only_by_ledger',
      keeps: 'a balance begins at zero',
      given: CARLA_HAS_ACCOUNTS,
      refuses: `insert into customer_balances (customer_id, asset_id, available_account_id, held_account_id, available_minor)
      values ('${CARLA}', 'USDC', ${carlas('customer_available')}, ${carlas('customer_held')}, 5)`,
      allows: openBalance(carlas('customer_available'), carlas('customer_held')),
    },
    {
      guard: 'customer_balances_only_by_ledger',
      keeps: 'a balance is there before the first entry that it counts',
      given: CARLA_HAS_ACCOUNTS,
      refuses: `${book({ credit: carlas('customer_available') })}; ${openBalance(carlas('customer_available'), carlas('customer_held'))}`,
      allows: `${openBalance(carlas('customer_available'), carlas('customer_held'))}; ${book({ credit: carlas('customer_available') })}`,
    },
    {
      guard: 'customer_balances_own_accounts',
      keeps: "nobody's balance counts somebody else's account",
      given: CARLA_HAS_ACCOUNTS,
      refuses: openBalance(carlas('customer_held'), carlas('customer_available')),
      allows: openBalance(carlas('customer_available'), carlas('customer_held')),
    },
    {
      guard: 'customer_balances_available_account_unique',
      keeps: 'an account is counted by one balance',
      given: `${CARLA_HAS_ACCOUNTS}; alter table customer_balances disable trigger customer_balances_only_by_ledger`,
      refuses: openBalance(available(ADA), carlas('customer_held')),
      allows: openBalance(carlas('customer_available'), carlas('customer_held')),
    },
    {
      guard: 'customer_balances_held_account_unique',
      keeps: 'an account of held coins is counted by one balance',
      given: `${CARLA_HAS_ACCOUNTS}; alter table customer_balances disable trigger customer_balances_only_by_ledger`,
      refuses: openBalance(carlas('customer_available'), held(ADA)),
      allows: openBalance(carlas('customer_available'), carlas('customer_held')),
    },
    {
      guard: 'customer_balances_never_truncated',
      keeps: 'balances are not emptied while their entries stay',
      refuses: 'truncate customer_balances',
      allows: book(),
    },
    {
      guard: 'customer_balances_available_not_negative',
      keeps: 'nobody spends what they do not have',
      refuses: book({ debit: available(BEN), credit: house('custody_hot'), amount: '51' }),
      allows: book({ debit: available(BEN), credit: house('custody_hot'), amount: '50' }),
    },
    {
      guard: 'customer_balances_held_not_negative',
      keeps: 'a hold gives back what it took and no more',
      refuses: book({ debit: held(BEN), credit: house('custody_hot'), amount: '1' }),
      allows: book({ debit: available(BEN), credit: held(BEN), amount: '1' }),
    },
  ],
  'the book': [
    {
      guard: 'ledger_transfers_kind',
      keeps: 'there are eight reasons to book',
      refuses: book({ kind: 'gift' }),
      allows: book({ kind: 'deposit' }),
    },
    {
      guard: 'ledger_transfers_source_kind_unique',
      keeps: 'one deed is booked once',
      given: book(),
      refuses: book(),
      allows: book({ source: 'gen_random_uuid()' }),
    },
    {
      guard: 'ledger_transfers_id_asset_unique',
      keeps: 'a transfer and its asset are named together by every entry',
      given: `${book()}; set constraints all immediate; alter table ledger_transfers drop constraint ledger_transfers_pkey`,
      refuses: `insert into ledger_transfers (id, asset_id, kind, source_id) overriding system value
      select max(id), 'USDC', 'deposit', gen_random_uuid() from ledger_transfers`,
      allows: book({ source: 'gen_random_uuid()' }),
    },
    {
      guard: 'ledger_transfers_post_void_exclusive',
      keeps: 'a hold ends once',
      given: `select given_withdrawal('completed')`,
      refuses: settle('void', 'completed'),
      allows: `select given_withdrawal('queued')`,
    },
    {
      guard: 'ledger_transfers_append_only',
      keeps: 'a transfer is never rewritten',
      refuses: `update ledger_transfers set kind = 'deposit'`,
      allows: book(),
    },
    {
      guard: 'ledger_entries_append_only',
      keeps: 'an entry is never rewritten',
      refuses: 'delete from ledger_entries',
      allows: book(),
    },
    {
      guard: 'ledger_entries_amount_positive',
      keeps: 'an entry moves something, forwards',
      refuses: book({ amount: '0' }),
      allows: book({ amount: '1' }),
    },
    {
      guard: 'ledger_entries_two_accounts',
      keeps: 'an entry has two sides',
      refuses: book({ debit: available(ADA) }),
      allows: book({ debit: available(BEN) }),
    },
    {
      guard: 'ledger_entries_transfer_same_asset',
      keeps: 'a transfer moves one asset',
      refuses: book({ asset: 'ETH', debit: house('custody_hot', 'ETH'), credit: house('opening', 'ETH') }),
      allows: book({ debit: house('custody_hot'), credit: house('opening') }),
    },
    {
      guard: 'ledger_entries_debit_same_asset',
      keeps: 'no asset is paid from the account of another',
      refuses: book({ debit: house('custody_hot', 'ETH') }),
      allows: book(),
    },
    {
      guard: 'ledger_entries_credit_same_asset',
      keeps: 'no asset is paid into the account of another',
      refuses: book({ credit: house('opening', 'ETH') }),
      allows: book({ credit: house('opening') }),
    },
    {
      guard: 'ledger_transfers_move_what_they_say',
      keeps: 'a transfer moves something',
      refuses: `insert into ledger_transfers (asset_id, kind, source_id) values ('USDC', 'deposit', '${SOURCE}')`,
      allows: book(),
    },
    {
      guard: 'ledger_transfers_move_what_they_say',
      keeps: 'a hold belongs to a withdrawal',
      refuses: book({ kind: 'hold', debit: available(ADA), credit: held(ADA) }),
      allows: `select given_withdrawal('queued')`,
    },
    {
      guard: 'ledger_transfers_move_what_they_say',
      keeps: 'nothing is held for a request that was refused',
      given: `select given_withdrawal('refused')`,
      refuses: settle('hold', 'refused'),
      allows: `select given_withdrawal('awaiting_approval')`,
    },
    {
      guard: 'ledger_transfers_move_what_they_say',
      keeps: 'a void gives back what was held and no more',
      given: `select given_withdrawal('queued'), given_withdrawal('awaiting_approval');
      set constraints all immediate; alter table withdrawals disable trigger withdrawals_moved; update withdrawals set status = 'cancelled' where id = given_id('queued')`,
      refuses: book({
        kind: 'void',
        source: `given_id('queued')`,
        debit: held(ADA),
        credit: available(ADA),
        amount: '102',
      }),
      allows: book({
        kind: 'void',
        source: `given_id('queued')`,
        debit: held(ADA),
        credit: available(ADA),
        amount: '101',
      }),
    },
    {
      guard: 'ledger_transfers_move_what_they_say',
      keeps: "a void gives back to the withdrawal's own customer",
      given: `select given_withdrawal('queued');
      set constraints all immediate; alter table withdrawals disable trigger withdrawals_moved; update withdrawals set status = 'cancelled' where id = given_id('queued')`,
      refuses: book({
        kind: 'void',
        source: `given_id('queued')`,
        debit: held(ADA),
        credit: available(BEN),
        amount: '101',
      }),
      allows: settle('void', 'queued'),
    },
    {
      guard: 'ledger_transfers_move_what_they_say',
      keeps: 'nothing is given back while the withdrawal may still pay',
      given: `select given_withdrawal('in_doubt')`,
      refuses: settle('void', 'in_doubt'),
      allows: `update withdrawals set status = 'failed', failure_code = 'x' where id = given_id('in_doubt'); ${settle('void', 'in_doubt')}`,
    },
    {
      guard: 'ledger_transfers_move_what_they_say',
      keeps: 'nothing is posted that did not arrive',
      given: `select given_withdrawal('broadcast')`,
      refuses: settle('post', 'broadcast'),
      allows: `update withdrawals set status = 'completed' where id = given_id('broadcast'); ${settle('post', 'broadcast')}`,
    },
    {
      guard: 'ledger_transfers_move_what_they_say',
      keeps: 'a post takes the amount to custody and the fee to us',
      given: `select given_withdrawal('broadcast');
      set constraints all immediate; alter table withdrawals disable trigger withdrawals_moved; update withdrawals set status = 'completed' where id = given_id('broadcast')`,
      refuses: book({
        kind: 'post',
        source: `given_id('broadcast')`,
        debit: held(ADA),
        credit: house('custody_hot'),
        amount: '101',
      }),
      allows: settle('post', 'broadcast'),
    },
    {
      guard: 'ledger_transfers_move_what_they_say',
      keeps: 'a late payment is booked against a withdrawal that was released',
      given: `select given_withdrawal('cancelled'), given_withdrawal('queued')`,
      refuses: book({
        kind: 'late',
        source: `given_id('queued')`,
        debit: receivable(),
        credit: house('custody_hot'),
        amount: '100',
      }),
      allows: book({
        kind: 'late',
        source: `given_id('cancelled')`,
        debit: receivable(),
        credit: house('custody_hot'),
        amount: '100',
      }),
    },
  ],
  'entries and the transfer they belong to': [
    {
      guard: 'ledger_entries_pkey',
      keeps: 'a leg is booked once',
      refuses: `${book()}; ${secondLeg().replace(', 2,', ', 1,')}`,
      allows: `${book()}; ${secondLeg()}`,
    },
  ],
});

function receivable(): string {
  return `(select id from ledger_accounts where customer_id = '${ADA}' and kind = 'customer_receivable')`;
}
