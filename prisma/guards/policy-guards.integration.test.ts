import { describeGuards } from './describe-guards.ts';
import { ADA, ADDRESS, BEN } from './house.ts';

const OTTO = '00000000-0000-4000-8000-0000000000e1';
const PIA = '00000000-0000-4000-8000-0000000000e2';
const OLGA = '00000000-0000-4000-8000-0000000000e3';
const STAFF = `insert into users (id, name, email, role) values ('${OTTO}', 'Otto', 'otto@guards.test', 'approver'),
  ('${PIA}', 'Pia', 'pia@guards.test', 'approver'), ('${OLGA}', 'Olga', 'olga@guards.test', 'operator')`;
const WAITING = `${STAFF}; select given_withdrawal('awaiting_approval')`;
const W = `given_id('awaiting_approval')`;

const approve = (by = OTTO, more: { decision?: string; payload?: string; revision?: string; id?: string } = {}) => `
  select given_confirmed('${by}', 'approve', (${more.id ?? W})::text);
  insert into approvals (withdrawal_id, approver_id, decision, payload_sha256, revision)
  select w.id, '${by}', '${more.decision ?? 'approved'}', ${more.payload ?? 'withdrawal_payload_sha256(w)'}, ${more.revision ?? 'w.revision'}
  from withdrawals w where w.id = ${more.id ?? W}`;
const release = `update withdrawals set status = 'queued' where id = ${W}`;
const entry = (memo = 'null', label = 'Mine') => `
  insert into address_book (id, customer_id, network_id, address, memo, label)
  values (gen_random_uuid(), '${ADA}', 'ethereum', '${ADDRESS}', ${memo}, '${label}')`;
const own = (kind: string) =>
  `insert into own_addresses (network_id, address, kind) values ('ethereum', '${ADDRESS}', '${kind}')`;
const ada = (different: string) => `update customers set ${different} where id = '${ADA}'`;
const tier = (different: string) =>
  `alter table tiers disable trigger tiers_change_confirmed; update tiers set ${different} where id = 'standard'`;
const usdc = (different: string) => `update assets set ${different} where id = 'USDC'`;
const request = (needsApproval: boolean, more = '') => `
  select request_withdrawal(gen_random_uuid(), gen_random_uuid(), '${ADA}', 'USDC', 'ethereum', '${ADDRESS}', null, 100, 1, 'on_top',
    null, ${needsApproval}, null, null, 100${more})`;
const plainRow = (different: string) => `
  alter table withdrawals disable trigger withdrawals_accepted_has_hold;
  insert into withdrawals select (jsonb_populate_record(w, jsonb_build_object('id', gen_random_uuid(), 'idempotency_key', gen_random_uuid()) || '${different}')).*
  from withdrawals w where w.id = ${W}`;

describeGuards({
  'who may say yes, and to what': [
    {
      guard: 'approvals_by_an_approver',
      keeps: 'an operator does not approve',
      given: WAITING,
      refuses: approve(OLGA),
      allows: approve(OTTO),
    },
    {
      guard: 'approvals_not_by_the_requester',
      keeps: 'nobody approves what they asked for, whatever role they were given meanwhile',
      given: `${WAITING}; update users set role = 'approver' where id = '${ADA}'`,
      refuses: approve(ADA),
      allows: approve(OTTO),
    },
    {
      guard: 'approvals_while_waiting',
      keeps: 'what went on without a person is not approved afterwards',
      given: `${STAFF}; select given_withdrawal('queued'), given_withdrawal('awaiting_approval')`,
      refuses: approve(OTTO, { id: `given_id('queued')` }),
      allows: approve(OTTO),
    },
    {
      guard: 'approvals_of_this_payload',
      keeps: 'another amount or address is another question',
      given: WAITING,
      refuses: approve(OTTO, { payload: `'${'0'.repeat(64)}'` }),
      allows: approve(),
    },
    {
      guard: 'approvals_of_this_revision',
      keeps: 'what was decided before the newest evidence does not count',
      given: `${WAITING}; update withdrawals set revision = revision + 1 where id = ${W}`,
      refuses: approve(OTTO, { revision: 'w.revision - 1' }),
      allows: approve(),
    },
    {
      guard: 'approvals_one_each',
      keeps: 'the same person twice is one person',
      given: `${WAITING}; ${approve(OTTO)}`,
      refuses: approve(OTTO),
      allows: approve(PIA),
    },
    {
      guard: 'approvals_decision',
      keeps: 'a decision is a yes or a no',
      given: WAITING,
      refuses: approve(OTTO, { decision: 'perhaps' }),
      allows: approve(OTTO, { decision: 'rejected' }),
    },
    {
      guard: 'approvals_append_only',
      keeps: 'a yes is not turned into a no',
      given: `${WAITING}; ${approve(OTTO, { decision: 'rejected' })}`,
      refuses: `update approvals set decision = 'approved'`,
      allows: approve(PIA),
    },
    {
      guard: 'withdrawals_approved_by_enough',
      keeps: 'what waits goes on when so many people as it needs have agreed',
      given: `${STAFF}; select request_withdrawal(${W}, ${W}, '${ADA}', 'USDC', 'ethereum', '${ADDRESS}', null, 100, 1, 'on_top',
        null, false, null, null, 100, true, 1, '{price_missing}'); ${approve(OTTO)}`,
      refuses: release,
      allows: `${approve(PIA)}; ${release}`,
    },
    {
      guard: 'withdrawals_approvals_required',
      keeps: 'nobody, one or two must agree',
      given: WAITING,
      refuses: plainRow('{"approvals_required": 3}'),
      allows: plainRow('{"approvals_required": 2}'),
    },
    {
      guard: 'withdrawals_waiting_needs_approvals',
      keeps: 'what waits for people waits for at least one',
      given: WAITING,
      refuses: plainRow('{"approvals_required": 0}'),
      allows: plainRow('{"approvals_required": 1}'),
    },
    {
      guard: 'withdrawals_policy_immutable',
      keeps: 'how many must agree is not changed afterwards',
      given: WAITING,
      refuses: `update withdrawals set approvals_required = 0 where id = ${W}`,
      allows: `update withdrawals set wait_reason = 'review' where id = ${W}`,
    },
    {
      guard: 'withdrawals_value_not_negative',
      keeps: 'no request gives room for others',
      refuses: request(false, `, true, -1, '{}'`),
      allows: request(false, `, true, 0, '{}'`),
    },
  ],
  'where to': [
    {
      guard: 'address_book_one_entry',
      keeps: 'a destination is in the book once, with its memo or without one',
      given: entry(),
      refuses: entry(),
      allows: entry(`'7'`),
    },
    {
      guard: 'address_book_label',
      keeps: 'an entry has a name that fits on a screen',
      refuses: entry('null', ''),
      allows: entry('null', 'x'),
    },
    {
      guard: 'address_book_entry_immutable',
      keeps: 'an entry that waited is not turned into another, nor made to wait less',
      given: entry(),
      refuses: `update address_book set usable_from = protocol_now()`,
      allows: `update address_book set label = 'Cold', removed_at = protocol_now()`,
    },
    {
      guard: 'address_book_never_deleted',
      keeps: 'what was in the book is remembered',
      given: entry(),
      refuses: 'delete from address_book',
      allows: 'update address_book set removed_at = protocol_now()',
    },
    {
      guard: 'own_addresses_kind',
      keeps: 'we know why an address is ours',
      refuses: own('friend'),
      allows: own('deposit'),
    },
    {
      guard: 'own_addresses_never_deleted',
      keeps: 'an address that was ours stays ours',
      given: own('deposit'),
      refuses: 'delete from own_addresses',
      allows: `update own_addresses set kind = 'hot_wallet'`,
    },
    {
      guard: 'customers_allow_list_off_waits',
      keeps: 'the allow-list goes off after its delay',
      given: ada('allow_list = true'),
      refuses: ada('allow_list = false'),
      allows: ada(`allow_list_off_at = protocol_now() + interval '24 hours'`),
    },
    {
      guard: 'customers_freeze_runs_out',
      keeps: 'a freeze after a change of security is not shortened',
      given: `select freeze_after_security_change('${ADA}', 'password')`,
      refuses: ada('frozen_until = null'),
      allows: ada(`frozen_until = frozen_until + interval '1 hour'`),
    },
  ],
  'limits, prices and delays': [
    {
      guard: 'customers_tier',
      keeps: 'a customer has limits that exist',
      refuses: ada(`tier = 'friends'`),
      allows: `alter table customers disable trigger customers_tier_confirmed; ${ada(`tier = 'verified'`)}`,
    },
    {
      guard: 'tiers_limits_not_negative',
      keeps: 'a limit is nothing or more',
      refuses: tier('hard_limit_24h_reference_minor = -1'),
      allows: tier('hard_limit_24h_reference_minor = null, auto_limit_24h_reference_minor = 0'),
    },
    {
      guard: 'tiers_velocity_window',
      keeps: 'requests are counted in a span of up to a day',
      refuses: tier(`velocity_window = '25 hours'`),
      allows: tier(`velocity_window = '24 hours'`),
    },
    {
      guard: 'assets_cap_24h_positive',
      keeps: 'a cap that lets nothing through is a switch, not a cap',
      refuses: usdc('cap_24h_minor = 0'),
      allows: usdc('cap_24h_minor = 1'),
    },
    {
      guard: 'assets_at_risk_max_positive',
      keeps: 'a breaker that trips on nothing is a switch',
      refuses: usdc('at_risk_max_minor = 0'),
      allows: usdc('at_risk_max_minor = 1'),
    },
    {
      guard: 'withdrawal_usage_not_negative',
      keeps: 'nothing is given back that was not counted',
      given: `select given_withdrawal('queued')`,
      refuses: 'update withdrawal_usage set total_minor = total_minor - 102',
      allows: 'update withdrawal_usage set total_minor = total_minor - 101',
    },
    {
      guard: 'withdrawal_usage_span',
      keeps: 'a sum is of an hour or of a day, and none is counted twice',
      refuses: `insert into withdrawal_usage values ('${ADA}', 'USDC', 12, now(), 0, 0, 0)`,
      allows: `insert into withdrawal_usage values ('${ADA}', 'USDC', 1, now(), 0, 0, 0)`,
    },
    {
      guard: 'prices_positive',
      keeps: 'nothing that counts is worth nothing',
      refuses: `insert into prices (asset_id, reference_minor_per_unit, source) values ('USDC', 0, 'x')`,
      allows: `insert into prices (asset_id, reference_minor_per_unit, source) values ('USDC', 1, 'x')`,
    },
    {
      guard: 'protocol_settings_delays_not_negative',
      keeps: 'a hold does not end before it begins',
      refuses: `update protocol_settings set address_hold = '-1 minute'`,
      allows: `update protocol_settings set address_hold = '0'`,
    },
  ],
  'switches by two people': [
    {
      guard: 'switches_resumed_by_two',
      keeps: 'payouts go on when another person than the one who proposed it says so',
      given: `${STAFF}; insert into switches (scope, reason, paused_by) values ('all', 'drill', 'olga'); update switches set resume_proposed_by = '${OLGA}'`,
      refuses: `update switches set resumed_by = '${OLGA}', resumed_at = now()`,
      allows: `select given_confirmed('${OTTO}', 'resume', s.id::text) from switches s; update switches set resumed_by = '${OTTO}', resumed_at = now()`,
    },
    {
      guard: 'switches_history_stays',
      keeps: 'who paused, what and when is not rewritten',
      given: `insert into switches (scope, reason, paused_by) values ('all', 'drill', 'olga')`,
      refuses: `update switches set reason = 'lunch'`,
      allows: `update switches set resume_proposed_by = 'olga'`,
    },
    {
      guard: 'switches_never_deleted',
      keeps: 'a pause does not vanish',
      given: `insert into switches (scope, reason, paused_by) values ('all', 'drill', 'olga')`,
      refuses: 'delete from switches',
      allows: `update switches set resume_proposed_by = 'olga'`,
    },
  ],
  'notices and the audit chain': [
    {
      guard: 'notifications_kind',
      keeps: 'there is a text for every notice',
      refuses: `insert into notifications (subject_id, kind, user_id) values (gen_random_uuid(), 'advert', '${BEN}')`,
      allows: `insert into notifications (subject_id, kind, user_id) values (gen_random_uuid(), 'password_reset', '${BEN}')`,
    },
    {
      guard: 'notifications_once',
      keeps: 'an event is told once',
      given: `select given_withdrawal('queued')`,
      refuses: `insert into notifications (subject_id, kind, user_id) values (given_id('queued'), 'withdrawal_requested', '${ADA}')`,
      allows: `insert into notifications (subject_id, kind, user_id) values (given_id('queued'), 'withdrawal_sent', '${ADA}')`,
    },
    {
      guard: 'notifications_one_repeat',
      keeps: 'of a notice whose fate is unclear there is one repeat',
      given: `select given_withdrawal('queued'); update notifications set sends_begun = 2`,
      refuses: 'update notifications set sends_begun = sends_begun + 1',
      allows: 'update notifications set sends_begun = sends_begun - 1',
    },
    {
      guard: 'audit_log_one_successor',
      keeps: 'no row of the audit has two that follow it',
      given: `insert into audit_log (actor_id, action, subject) values ('olga', 'pause', 'all'); alter table audit_log disable trigger audit_log_chain`,
      refuses: `insert into audit_log (actor_id, action, subject, previous_hash, hash) values ('eve', 'resume', 'all', '', 'x')`,
      allows: `insert into audit_log (actor_id, action, subject, previous_hash, hash) select 'eve', 'resume', 'all', hash, 'x' from audit_log`,
    },
    {
      guard: 'audit_log_one_deed',
      keeps: 'one press of a button, repeated, is one deed',
      given: `insert into audit_log (actor_id, action, subject, deed_id) values ('olga', 'pause', 'all', md5('press')::uuid)`,
      refuses: `insert into audit_log (actor_id, action, subject, deed_id) values ('olga', 'pause', 'all', md5('press')::uuid)`,
      allows: `insert into audit_log (actor_id, action, subject, deed_id) values ('olga', 'pause', 'all', md5('another press')::uuid)`,
    },
  ],
});
