import { describeGuards } from './describe-guards.ts';
import { ADA } from './house.ts';

const OLGA = '00000000-0000-4000-8000-0000000000e3';
const OSCAR = '00000000-0000-4000-8000-0000000000e4';
const PROPOSAL = '00000000-0000-4000-8000-0000000000f3';
const HALTED = `insert into users (id, name, email, role) values ('${OLGA}', 'Olga', 'olga@guards.test', 'operator'), ('${OSCAR}', 'Oscar', 'oscar@guards.test', 'approver');
  insert into chain_cursors (network_id, block_number, block_hash, halted_at, halt_reason) values ('ethereum', 90, '0x90', protocol_now(), 'odd');
  insert into chain_blocks (network_id, block_hash, block_number, parent_hash, mined_at) values ('ethereum', '0x80', 80, '0x79', protocol_now())`;
const propose = (
  more: { from?: number; hash?: string; by?: string; at?: string; reason?: string; confirmed?: boolean } = {},
) => `
  insert into chain_resumptions (id, network_id, halted_at, from_number, from_hash, from_parent_hash, reason, proposed_by, proposed_at${more.confirmed ? ', confirmed_by, confirmed_at' : ''})
  select '${PROPOSAL}', c.network_id, ${more.at ?? 'c.halted_at'}, ${more.from ?? 80}, '${more.hash ?? '0x80'}', '0x79', '${more.reason ?? 'the node was mended'}',
    '${more.by ?? OLGA}', protocol_now()${more.confirmed ? `, '${OSCAR}', protocol_now()` : ''} from chain_cursors c`;
const PROPOSED = `${HALTED}; ${propose()}`;
const second = (by = OSCAR) => `select given_confirmed('${by}', 'take_up_network', '${PROPOSAL}')`;
const confirm = (by = OSCAR, at = 'protocol_now()') =>
  `update chain_resumptions set confirmed_by = '${by}', confirmed_at = ${at}`;
const takeUp = (block = 80) =>
  `update chain_cursors set block_number = ${block}, block_hash = '0x${block}', halted_at = null, halt_reason = null`;
const CONFIRMED = `${PROPOSED}; ${second()}; ${confirm()}`;

const cost = ({ hash = '0xa', id = PROPOSAL, minor = 7 } = {}) => `
  insert into network_costs (network_id, transaction_hash, id, asset_id, amount_minor, block_number, block_hash, succeeded)
  values ('ethereum', '${hash}', '${id}', 'ETH', ${minor}, 80, '0x80', true)`;
const bookCost = (minor: number) => `
  with t as (insert into ledger_transfers (asset_id, kind, source_id) values ('ETH', 'network_cost', '${PROPOSAL}') returning id)
  insert into ledger_entries (transfer_id, leg, asset_id, debit_account_id, credit_account_id, amount_minor)
  select t.id, 1, 'ETH', ledger_house_account('ETH', 'network_costs'), ledger_house_account('ETH', 'custody_hot'), ${minor} from t`;

describeGuards({
  'networks that are taken up again': [
    {
      guard: 'chain_cursors_taken_up_by_two',
      keeps: 'no statement ends a halt by itself',
      given: PROPOSED,
      refuses: takeUp(),
      allows: `${second()}; ${confirm()}; ${takeUp()}`,
    },
    {
      guard: 'chain_cursors_taken_up_by_two',
      keeps: 'the network stands where the two people said',
      given: CONFIRMED,
      refuses: takeUp(85),
      allows: takeUp(),
    },
    {
      guard: 'chain_cursors_taken_up_by_two',
      keeps: 'a halted cursor is not deleted to begin anew',
      given: HALTED,
      refuses: 'delete from chain_cursors',
      allows: 'update chain_cursors set credited_number = 3',
    },
    {
      guard: 'chain_resumptions_confirmed',
      keeps: 'a network is taken up again by a second factor, and by the one of whoever confirms',
      given: PROPOSED,
      refuses: `${second(OLGA)}; ${confirm()}`,
      allows: `${second()}; ${confirm()}`,
    },
    {
      guard: 'chain_resumptions_two_people',
      keeps: 'nobody confirms their own proposal',
      given: PROPOSED,
      refuses: `${second(OLGA)}; ${confirm(OLGA)}`,
      allows: `${second()}; ${confirm()}`,
    },
    {
      guard: 'chain_resumptions_two_people',
      keeps: 'a proposal comes before its confirmation',
      given: HALTED,
      refuses: propose({ confirmed: true }),
      allows: propose(),
    },
    {
      guard: 'chain_resumptions_confirmed_by_somebody',
      keeps: 'a confirmation names a person',
      given: PROPOSED,
      refuses: 'update chain_resumptions set confirmed_at = protocol_now()',
      allows: `${second()}; ${confirm()}`,
    },
    {
      guard: 'chain_resumptions_immutable',
      keeps: 'what was proposed is what is confirmed',
      given: PROPOSED,
      refuses: `${second()}; ${confirm()}, from_number = 70`,
      allows: `${second()}; ${confirm()}`,
    },
    {
      guard: 'chain_resumptions_by_staff',
      keeps: 'customers wait',
      given: HALTED,
      refuses: propose({ by: ADA }),
      allows: propose(),
    },
    {
      guard: 'chain_resumptions_of_this_halt',
      keeps: 'a proposal ends the halt that was looked at, and no later one',
      given: HALTED,
      refuses: propose({ at: `c.halted_at - interval '1 second'` }),
      allows: propose(),
    },
    {
      guard: 'chain_resumptions_skip_nothing',
      keeps: 'what is passed over is never read',
      given: HALTED,
      refuses: propose({ from: 91, hash: '0x91' }),
      allows: propose({ from: 90, hash: '0x90' }),
    },
    {
      guard: 'chain_resumptions_from_common_ground',
      keeps: 'a network is read again above a block on which node and copy agree, or below all that is kept',
      given: HALTED,
      refuses: propose({ hash: '0x81' }),
      allows: propose({ from: 79, hash: '0x79b' }),
    },
    {
      guard: 'chain_resumptions_while_fresh',
      keeps: 'what the node said an hour ago is asked again',
      given: PROPOSED,
      refuses: `${second()}; ${confirm(OSCAR, `protocol_now() + interval '61 minutes'`)}`,
      allows: `${second()}; ${confirm(OSCAR, `protocol_now() + interval '59 minutes'`)}`,
    },
    {
      guard: 'chain_resumptions_from_a_block',
      keeps: 'a network is read again from a block that there is',
      given: HALTED,
      refuses: propose({ from: -1 }),
      allows: propose({ from: 0 }),
    },
    {
      guard: 'chain_resumptions_reason',
      keeps: 'a proposal says why',
      given: HALTED,
      refuses: propose({ reason: '?' }),
      allows: propose(),
    },
    {
      guard: 'chain_resumptions_never_deleted',
      keeps: 'that a network was taken up again is not forgotten',
      given: PROPOSED,
      refuses: 'delete from chain_resumptions',
      allows: `${second()}; ${confirm()}`,
    },
  ],
  'what transactions cost': [
    {
      guard: 'network_costs_amount_positive',
      keeps: 'what cost nothing is not booked',
      refuses: cost({ minor: 0 }),
      allows: cost(),
    },
    {
      guard: 'network_costs_id_unique',
      keeps: 'a cost is the source of one booking',
      given: cost(),
      refuses: cost({ hash: '0xb' }),
      allows: cost({ hash: '0xb', id: OSCAR }),
    },
    {
      guard: 'network_costs_append_only',
      keeps: 'what was paid for a transaction is not rewritten',
      given: cost(),
      refuses: 'update network_costs set amount_minor = 1',
      allows: cost({ hash: '0xb', id: OSCAR }),
    },
    {
      guard: 'ledger_transfers_move_what_they_say',
      keeps: 'a network cost is the one that its receipt names, out of the hot wallet',
      given: cost(),
      refuses: bookCost(8),
      allows: bookCost(7),
    },
  ],
});
