import { describeGuards } from './describe-guards.ts';
import { ADA, BEN, CARLA } from './house.ts';

const person = (different: string) => `update users set ${different} where id = '${CARLA}'`;
const session = (token: string) =>
  `insert into sessions (id, token, user_id, expires_at) values (gen_random_uuid(), '${token}', '${CARLA}', now())`;
const pair = (different: string) => `update asset_networks set ${different} where asset_id = 'USDC'`;
const effect = (ordinal: number, state = 'included') => `
  insert into chain_effects (network_id, transaction_hash, ordinal, from_address, to_address, amount_minor, block_number, block_hash, state)
  values ('ethereum', '0xabc', ${ordinal}, 'hot', 'someone', 100, 7, '0x7', '${state}')`;
const block = (hash: string, canonical: boolean) => `
  insert into chain_blocks (network_id, block_hash, block_number, parent_hash, canonical, mined_at)
  values ('ethereum', '${hash}', 7, '0x6', ${canonical}, now())`;
const open = (fingerprint: string) =>
  `insert into cases (kind, fingerprint) values ('contradiction', '${fingerprint}')`;
const pause = (scope: string, target: string) =>
  `insert into switches (scope, target, reason, paused_by) values ('${scope}', '${target}', 'drill', 'olga')`;
const audit = `insert into audit_log (actor_id, action, subject, previous_hash, hash) values ('olga', 'pause', 'all', '0', '1')`;

describeGuards({
  'time and mode': [
    {
      guard: 'protocol_settings_single_row',
      keeps: 'there is one clock',
      refuses: 'insert into protocol_settings (id) values (false)',
      allows: `update protocol_settings set sending_stopped_at = now(), sending_stopped_reason = 'unauthorized'`,
    },
    {
      guard: 'protocol_settings_never_deleted',
      keeps: 'the clock cannot be taken away',
      refuses: 'delete from protocol_settings',
      allows: 'update protocol_settings set sending_stopped_at = null',
    },
    {
      guard: 'protocol_settings_mode',
      keeps: 'we pay, or we only look',
      refuses: `update protocol_settings set mode = 'fast'`,
      allows: `update protocol_settings set mode = 'look_up_only'`,
    },
    {
      guard: 'protocol_settings_clock_moved_only_where_allowed',
      keeps: 'nobody moves the clock of a production database',
      refuses: `update protocol_settings set clock_offset = '1 day'`,
      allows: `update protocol_settings set clock_movable = true; update protocol_settings set clock_offset = '400 days'`,
    },
    {
      guard: 'protocol_settings_clock_movable_from_the_start',
      keeps: 'a database in which coins have moved never gets a movable clock',
      refuses: `select given_withdrawal('queued'); update protocol_settings set clock_movable = true`,
      allows: `update protocol_settings set clock_movable = true; select given_withdrawal('queued')`,
    },
  ],
  'people, assets and networks': [
    {
      guard: 'users_email_unique',
      keeps: 'an address belongs to one person',
      refuses: person(`email = 'ada@guards.test'`),
      allows: person(`email = 'carla@elsewhere.test'`),
    },
    {
      guard: 'users_role',
      keeps: 'there are four roles',
      refuses: person(`role = 'root'`),
      allows: person(`role = 'auditor'`),
    },
    {
      guard: 'sessions_token_unique',
      keeps: 'a token opens one session',
      given: session('a'),
      refuses: session('a'),
      allows: session('b'),
    },
    {
      guard: 'assets_decimals',
      keeps: 'decimals are counted',
      refuses: `insert into assets (id, name, decimals) values ('X', 'X', 37)`,
      allows: `insert into assets (id, name, decimals) values ('X', 'X', 36)`,
    },
    {
      guard: 'assets_decimals_immutable',
      keeps: 'stored amounts keep their meaning',
      refuses: `update assets set decimals = 8 where id = 'USDC'`,
      allows: `update assets set name = 'USDC' where id = 'USDC'`,
    },
    {
      guard: 'networks_family',
      keeps: 'a network is of a family whose addresses we can read',
      refuses: `update networks set family = 'cosmos'`,
      allows: `update networks set family = 'tron'`,
    },
    {
      guard: 'networks_confirmations',
      keeps: 'nothing is final at once',
      refuses: 'update networks set confirmations_required = 0',
      allows: 'update networks set confirmations_required = 1000',
    },
    {
      guard: 'networks_held_whole',
      keeps: 'an old finality is held for the blocks up to one, and for no others',
      refuses: 'update networks set confirmations_held = 12',
      allows: 'update networks set confirmations_held = 12, held_until_block = 100',
    },
    {
      guard: 'networks_held_confirmations',
      keeps: 'a finality is a number of blocks, also the one before',
      refuses: 'update networks set confirmations_held = 0, held_until_block = 100',
      allows: 'update networks set confirmations_held = 1, held_until_block = 100',
    },
    {
      guard: 'asset_networks_minimum_positive',
      keeps: 'nothing is too little to send',
      refuses: pair('minimum_minor = 0'),
      allows: pair('minimum_minor = 1'),
    },
    {
      guard: 'asset_networks_fee_not_negative',
      keeps: 'a fee is charged or waived',
      refuses: pair('fee_minor = -1'),
      allows: pair('fee_minor = 0'),
    },
    {
      guard: 'asset_networks_memo_rule',
      keeps: 'a memo is asked for in one of three ways',
      refuses: pair(`memo_rule = 'maybe'`),
      allows: pair(`memo_rule = 'none'`),
    },
  ],
  'the chain, cases, switches and the audit': [
    {
      guard: 'chain_blocks_one_canonical',
      keeps: 'a height has one block that counts',
      given: block('0x7a', true),
      refuses: block('0x7b', true),
      allows: block('0x7b', false),
    },
    {
      guard: 'chain_effects_state',
      keeps: 'an effect is included, final or orphaned',
      refuses: effect(0, 'pending'),
      allows: effect(0, 'orphaned'),
    },
    {
      guard: 'chain_effects_content_unique',
      keeps: 'a block that is read twice has its effects once',
      given: effect(0),
      refuses: effect(0),
      allows: effect(1),
    },
    {
      guard: 'cases_fingerprint_unique',
      keeps: 'a case is opened once',
      given: open('a'),
      refuses: open('a'),
      allows: open('b'),
    },
    {
      guard: 'switches_scope',
      keeps: 'a pause says what it pauses',
      refuses: pause('planet', ''),
      allows: pause('asset', 'USDC'),
    },
    {
      guard: 'switches_one_open',
      keeps: 'one resume ends a pause',
      given: pause('customer', ADA),
      refuses: pause('customer', ADA),
      allows: `update switches set resume_proposed_by = 'olga'; select given_confirmed('${BEN}', 'resume', s.id::text) from switches s;
        update switches set resumed_at = now(), resumed_by = '${BEN}'; ${pause('customer', ADA)}`,
    },
    {
      guard: 'audit_log_append_only',
      keeps: 'what people did is not rewritten',
      given: audit,
      refuses: `update audit_log set actor_id = 'oscar'`,
      allows: audit,
    },
    {
      guard: 'withdrawal_legal_transitions_fixed',
      keeps: 'no script opens a new way between statuses',
      refuses: `insert into withdrawal_legal_transitions values ('completed', 'queued')`,
      allows: 'select 1',
    },
  ],
});
