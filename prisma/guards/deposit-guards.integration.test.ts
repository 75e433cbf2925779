import { describeGuards } from './describe-guards.ts';
import { ADA, BEN } from './house.ts';

const account = (customer: string) => `insert into deposit_accounts (customer_id) values ('${customer}')`;
const address = (customer: string, chainAddress: string) => `
  insert into deposit_addresses (customer_id, network_id, address, chain_address) values ('${customer}', 'ethereum', '${chainAddress}', '${chainAddress}')`;
const effect = `
  insert into chain_effects (network_id, transaction_hash, ordinal, from_address, to_address, amount_minor, block_number, block_hash, state)
  values ('ethereum', '0xabc', 0, 'someone', '0xada', 100, 7, '0x7', 'final')`;
const deposit = (amount: number, id = 'gen_random_uuid()') => `
  insert into deposits (effect_id, id, customer_id, asset_id, amount_minor) select max(id), ${id}, '${ADA}', 'ETH', ${amount} from chain_effects`;
const ID = `'00000000-0000-4000-8000-0000000000d1'`;

describeGuards({
  deposits: [
    {
      guard: 'deposit_accounts_customer_unique',
      keeps: 'a customer has one key',
      given: account(ADA),
      refuses: account(ADA),
      allows: account(BEN),
    },
    {
      guard: 'deposit_addresses_one_owner',
      keeps: 'an address is one customer\u2019s',
      given: address(ADA, '0xada'),
      refuses: address(BEN, '0xada'),
      allows: address(BEN, '0xben'),
    },
    {
      guard: 'deposit_addresses_append_only',
      keeps: 'an address does not change its owner',
      given: address(ADA, '0xada'),
      refuses: `update deposit_addresses set customer_id = '${BEN}'`,
      allows: address(BEN, '0xben'),
    },
    {
      guard: 'deposits_amount_positive',
      keeps: 'nothing is no deposit',
      given: effect,
      refuses: deposit(0),
      allows: deposit(1),
    },
    {
      guard: 'deposits_id_unique',
      keeps: 'a deposit is booked under a name of its own',
      given: `${effect}; ${deposit(1, ID)}; ${effect.replace('0xabc', '0xdef')}`,
      refuses: deposit(1, ID),
      allows: deposit(1),
    },
    {
      guard: 'deposits_append_only',
      keeps: 'what was credited stays credited',
      given: `${effect}; ${deposit(1)}`,
      refuses: 'delete from deposits',
      allows: `update chain_effects set block_hash = '0x8'`,
    },
  ],
});
