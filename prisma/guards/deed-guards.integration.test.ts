import { describeGuards } from './describe-guards.ts';
import { ADA } from './house.ts';

const OLGA = '00000000-0000-4000-8000-0000000000e3';
const OSCAR = '00000000-0000-4000-8000-0000000000e4';
const AUDITOR = '00000000-0000-4000-8000-0000000000e5';
const CASE = '00000000-0000-4000-8000-0000000000c1';
const OTHER = '00000000-0000-4000-8000-0000000000c2';
const CHALLENGE = '00000000-0000-4000-8000-0000000000f1';
const STAFF = `insert into users (id, name, email, role) values ('${OLGA}', 'Olga', 'olga@guards.test', 'operator'),
  ('${OSCAR}', 'Oscar', 'oscar@guards.test', 'approver'), ('${AUDITOR}', 'Aud', 'aud@guards.test', 'auditor')`;
const OPEN = `${STAFF}; insert into cases (id, kind, fingerprint) values ('${CASE}', 'contradiction', 'a'), ('${OTHER}', 'contradiction', 'b')`;
const propose = (
  by = OLGA,
  id = CASE,
) => `update cases set close_proposed_by = '${by}', close_proposed_at = protocol_now(),
  close_proposed_revision = revision, closed_reason = 'custody explained it' where id = '${id}'`;
const PROPOSED = `${OPEN}; ${propose()}`;
const close = (by = OSCAR, id = CASE) =>
  `update cases set closed_by = '${by}', closed_at = protocol_now() where id = '${id}'`;
const confirmed = (by = OSCAR, id = CASE) => `select given_confirmed('${by}', 'close_case', '${id}')`;
const FACTOR = `insert into totp_factors (user_id, secret_sealed, confirmed_at, last_step) values ('${OSCAR}', '\\x00', protocol_now(), 7)`;
const noted = (columns: string, values: string, more: { deed?: string; print?: string } = {}) => `
  insert into deed_confirmations (user_id, deed, subject, fingerprint_sha256, ${columns})
  values ('${OSCAR}', '${more.deed ?? 'close_case'}', '${CASE}', ${more.print ?? `deed_fingerprint('close_case', '${CASE}')`}, ${values})`;
/** A passkey of Oscar's was asked to sign this deed, or another one, and its answer was spent. */
const signed = (of = CASE) => `
  insert into step_up_challenges (id, user_id, purpose, challenge, expires_at, spent_at)
  select '${CHALLENGE}', '${OSCAR}', 'deed', rtrim(translate(encode(sha256(convert_to('${CHALLENGE} ' || deed_fingerprint('close_case', '${of}'), 'UTF8')),
    'base64'), '+/', '-_'), '='), protocol_now() + interval '5 minutes', protocol_now()`;
const PAUSED = `${STAFF}; insert into switches (scope, reason, paused_by) values ('all', 'drill', 'olga'); update switches set resume_proposed_by = '${OLGA}'`;
const resume = `update switches set resumed_by = '${OSCAR}', resumed_at = protocol_now()`;
const ADJUSTMENT = '00000000-0000-4000-8000-0000000000ee';
const ADJUSTED = `${STAFF}; insert into ledger_adjustments (id, asset_id, debit_account_id, credit_account_id, amount_minor, reason, proposed_by)
  select '${ADJUSTMENT}', 'USDC', d.id, c.id, 5, 'found coins', '${OLGA}' from ledger_accounts d, ledger_accounts c
  where d.asset_id = 'USDC' and d.kind = 'suspense' and c.asset_id = 'USDC' and c.kind = 'customer_available' and c.customer_id = '${ADA}'`;
const adjust = `update ledger_adjustments set confirmed_by = '${OSCAR}', confirmed_at = protocol_now()`;
const SPELL = `${STAFF}; insert into look_up_only_spells (reason, provider, provider_account, not_after) values ('restored', 'mock', 'main', '10 minutes');
  update look_up_only_spells set end_proposed_by = '${OLGA}', end_proposed_at = protocol_now()`;
const endSpell = `update look_up_only_spells set ended_by = '${OSCAR}', ended_at = protocol_now()`;
const WAITING = `${STAFF}; select given_withdrawal('awaiting_approval')`;
const approve = (decision: string) => `
  insert into approvals (withdrawal_id, approver_id, decision, payload_sha256, revision)
  select w.id, '${OSCAR}', '${decision}', withdrawal_payload_sha256(w), w.revision from withdrawals w where w.id = given_id('awaiting_approval')`;
const RESOLUTION = '00000000-0000-4000-8000-0000000000e1';
const DOUBT = `${STAFF}; select given_withdrawal('in_doubt');
  update withdrawals set parked_at = protocol_now(), parked_reason = 'attempts_exhausted' where id = given_id('in_doubt');
  insert into withdrawal_resolutions (id, withdrawal_id, deed, fence, revision, reason, proposed_by)
  select '${RESOLUTION}', w.id, 'hand_back', w.fence, w.revision, 'looked at it', '${OLGA}' from withdrawals w where w.id = given_id('in_doubt')`;
const lift = `update customers set frozen_at = null, frozen_reason = null where id = '${ADA}'`;
const FROZEN = `${STAFF}; update customers set frozen_at = protocol_now(), frozen_reason = 'odd' where id = '${ADA}'`;
const limits = (hours: number) => `update tiers set auto_limit_24h_reference_minor = ${hours} where id = 'standard'`;
const limitsConfirmed = (to: number, by = OSCAR) =>
  `select given_confirmed('${by}', 'set_tier', '{"id": "standard", "auto_limit_24h_reference_minor": "${to}"}')`;
const verify = `update customers set tier = 'verified' where id = '${ADA}'`;
const verifyConfirmed = `select given_confirmed('${OSCAR}', 'set_customer_tier', '{"id": "${ADA}", "tier": "verified", "review_all": false}')`;
const OFF = `${STAFF}; update asset_networks set enabled = false where asset_id = 'USDC'`;
const switchOn = `update asset_networks set enabled = true where asset_id = 'USDC' and network_id = 'ethereum'`;
const onConfirmed = (fee: string) => `
  select given_confirmed('${OSCAR}', 'set_pair', json_build_object('asset_id', p.asset_id, 'network_id', p.network_id, 'enabled', true${fee})::text)
  from asset_networks p where p.asset_id = 'USDC' and p.network_id = 'ethereum'`;
const setConfirmed = (deed: string, subject: string) => `select given_confirmed('${OSCAR}', '${deed}', '${subject}')`;
const CAPPED = `${STAFF}; update assets set cap_24h_minor = 5, at_risk_max_minor = 5 where id = 'USDC'`;
const cap = (to: string) => `update assets set cap_24h_minor = ${to} where id = 'USDC'`;
const deepOf = (confirmations: number) =>
  `update networks set confirmations_required = ${confirmations} where id = 'ethereum'`;
const price = (to: number) => `
  insert into prices (asset_id, reference_minor_per_unit, source) values ('USDC', ${to}, 'operator')
  on conflict (asset_id) do update set reference_minor_per_unit = excluded.reference_minor_per_unit, source = excluded.source`;
const PRICE = '00000000-0000-4000-8000-0000000000f5';
const proposePrice = ({ to = 8, by = OLGA, confirmed = false } = {}) => `
  insert into price_proposals (id, asset_id, reference_minor_per_unit, proposed_by${confirmed ? ', confirmed_by, confirmed_at' : ''})
  values ('${PRICE}', 'USDC', ${to}, '${by}'${confirmed ? `, '${OSCAR}', protocol_now()` : ''})`;
const PRICE_PROPOSED = `${STAFF}; ${proposePrice()}`;
const priceSecond = (by = OSCAR) => `select given_confirmed('${by}', 'set_price', '${PRICE}')`;
const confirmPrice = (by = OSCAR, at = 'protocol_now()') =>
  `update price_proposals set confirmed_by = '${by}', confirmed_at = ${at}`;
const reviewOff = `update asset_networks set review_all = false where asset_id = 'USDC' and network_id = 'ethereum'`;
const resolve = `update withdrawal_resolutions set confirmed_by = '${OSCAR}', confirmed_at = protocol_now()`;

describeGuards({
  'cases that people close': [
    {
      guard: 'cases_closed_by_two',
      keeps: 'whoever proposes does not close, and nobody does both at once',
      given: PROPOSED,
      refuses: `${confirmed(OLGA)}; ${close(OLGA)}`,
      allows: `${confirmed()}; ${close()}`,
    },
    {
      guard: 'cases_closed_by_two',
      keeps: 'one update that names two people is one person',
      given: OPEN,
      refuses: `${propose().replace('where', `, closed_by = '${OSCAR}', closed_at = protocol_now() where`)}`,
      allows: propose(),
    },
    {
      guard: 'cases_closed_by_staff',
      keeps: 'neither customers nor auditors close a case',
      given: PROPOSED,
      refuses: close(AUDITOR),
      allows: `${confirmed()}; ${close()}`,
    },
    {
      guard: 'cases_closed_on_this_evidence',
      keeps: 'new evidence asks for a new proposal',
      given: `${PROPOSED}; update cases set revision = revision + 1 where id = '${CASE}'`,
      refuses: `${confirmed()}; ${close()}`,
      allows: `${propose()}; ${confirmed()}; ${close()}`,
    },
    {
      guard: 'cases_close_proposed_by_somebody',
      keeps: 'a proposal has a person and a time',
      given: OPEN,
      refuses: `update cases set close_proposed_by = '${OLGA}'`,
      allows: propose(),
    },
    {
      guard: 'cases_close_has_reason',
      keeps: 'a case is closed with a reason',
      given: `${OPEN}; ${propose().replace('custody explained it', 'x')}`,
      refuses: `${confirmed()}; ${close()}`,
      allows: `${propose()}; ${confirmed()}; ${close()}`,
    },
    {
      guard: 'cases_history_stays',
      keeps: 'what was found is not found away',
      given: PROPOSED,
      refuses: `update cases set kind = 'nothing'`,
      allows: `update cases set revision = revision + 1`,
    },
    {
      guard: 'cases_never_deleted',
      keeps: 'a case stays',
      given: OPEN,
      refuses: 'delete from cases',
      allows: propose(),
    },
  ],
  'what confirms a deed': [
    {
      guard: 'deed_confirmations_deed',
      keeps: 'the dangerous deeds are a closed list',
      given: `${PROPOSED}; ${FACTOR}`,
      refuses: `alter table deed_confirmations disable trigger deed_confirmations_guard; ${noted('totp_step', '7', { deed: 'pay' })}`,
      allows: noted('totp_step', '7'),
    },
    {
      guard: 'deed_confirmations_of_this_deed',
      keeps: 'what was confirmed before the row changed does not count',
      given: `${PROPOSED}; ${FACTOR}`,
      refuses: noted('totp_step', '7', { print: `deed_fingerprint('close_case', '${OTHER}')` }),
      allows: noted('totp_step', '7'),
    },
    {
      guard: 'deed_confirmations_by_a_spent_factor',
      keeps: 'a code that was never taken confirms nothing',
      given: `${PROPOSED}; ${FACTOR}`,
      refuses: noted('totp_step', '8'),
      allows: noted('totp_step', '7'),
    },
    {
      guard: 'deed_confirmations_by_a_spent_factor',
      keeps: 'a signature under another deed confirms nothing here',
      given: PROPOSED,
      refuses: `${signed(OTHER)}; ${noted('challenge_id', `'${CHALLENGE}'`)}`,
      allows: `${signed()}; ${noted('challenge_id', `'${CHALLENGE}'`)}`,
    },
    {
      guard: 'deed_confirmations_one_factor',
      keeps: 'one factor stands for one confirmation',
      given: `${PROPOSED}; ${FACTOR}; ${signed()}`,
      refuses: noted('totp_step, challenge_id', `7, '${CHALLENGE}'`),
      allows: noted('totp_step', '7'),
    },
    {
      guard: 'deed_confirmations_code_confirms_once',
      keeps: 'one code confirms one deed',
      given: `${PROPOSED}; ${FACTOR}; ${noted('totp_step', '7')}`,
      refuses: noted('totp_step', '7'),
      allows: `update totp_factors set last_step = 8; ${noted('totp_step', '8')}`,
    },
    {
      guard: 'deed_confirmations_signature_confirms_once',
      keeps: 'one signature confirms one deed',
      given: `${PROPOSED}; ${FACTOR}; ${signed()}; ${noted('challenge_id', `'${CHALLENGE}'`)}`,
      refuses: noted('challenge_id', `'${CHALLENGE}'`),
      allows: noted('totp_step', '7'),
    },
    {
      guard: 'deed_confirmations_append_only',
      keeps: 'by what a deed was confirmed is not rewritten',
      given: `${PROPOSED}; ${confirmed()}`,
      refuses: 'delete from deed_confirmations',
      allows: 'select * from deed_confirmations',
    },
  ],
  'what needs a second factor': [
    {
      guard: 'approvals_confirmed',
      keeps: 'a yes needs one; a no moves nothing and does not',
      given: WAITING,
      refuses: approve('approved'),
      allows: approve('rejected'),
    },
    {
      guard: 'withdrawal_resolutions_confirmed',
      keeps: 'no doubt ends by a stolen session',
      given: DOUBT,
      refuses: resolve,
      allows: `select given_confirmed('${OSCAR}', 'resolve', '${RESOLUTION}'); ${resolve}`,
    },
    {
      guard: 'switches_resume_confirmed',
      keeps: 'payouts go on by a second factor',
      given: PAUSED,
      refuses: resume,
      allows: `select given_confirmed('${OSCAR}', 'resume', s.id::text) from switches s; ${resume}`,
    },
    {
      guard: 'ledger_adjustments_confirmed',
      keeps: 'the books are corrected by a second factor',
      given: ADJUSTED,
      refuses: adjust,
      allows: `select given_confirmed('${OSCAR}', 'adjust', '${ADJUSTMENT}'); ${adjust}`,
    },
    {
      guard: 'look_up_only_spells_end_confirmed',
      keeps: 'look-up only ends by a second factor',
      given: SPELL,
      refuses: endSpell,
      allows: `select given_confirmed('${OSCAR}', 'end_look_up_only', l.id::text) from look_up_only_spells l; ${endSpell}`,
    },
    {
      guard: 'cases_close_confirmed',
      keeps: 'a stop that a case brought ends by a second factor, and by the one of whoever closes',
      given: PROPOSED,
      refuses: `${confirmed(OLGA)}; ${close()}`,
      allows: `${confirmed()}; ${close()}`,
    },
  ],
  'what lets more money out than before': [
    {
      guard: 'customers_lift_confirmed',
      keeps: 'a freeze is lifted by a second factor; it is set by anybody',
      given: FROZEN,
      refuses: lift,
      allows: `select given_confirmed('${OSCAR}', 'lift_freeze', '${ADA}'); ${lift}`,
    },
    {
      guard: 'customers_lift_confirmed',
      keeps: 'what lifted one freeze lifts no later one',
      given: `${FROZEN}; select given_confirmed('${OSCAR}', 'lift_freeze', '${ADA}'); ${lift};
        update customers set frozen_at = protocol_now() + interval '1 second', frozen_reason = 'odd again' where id = '${ADA}'`,
      refuses: lift,
      allows: `select given_confirmed('${OSCAR}', 'lift_freeze', '${ADA}'); ${lift}`,
    },
    {
      guard: 'customers_tier_confirmed',
      keeps: 'nobody gets wider limits by a session alone',
      given: STAFF,
      refuses: verify,
      allows: `${verifyConfirmed}; ${verify}`,
    },
    {
      guard: 'customers_tier_confirmed',
      keeps: 'every request is looked at from now on at once, and no longer only by a second factor',
      given: `${STAFF}; update customers set review_all = true where id = '${ADA}'`,
      refuses: `update customers set review_all = false where id = '${ADA}'`,
      allows: `select given_confirmed('${OSCAR}', 'set_customer_tier', '{"id": "${ADA}", "review_all": false}');
        update customers set review_all = false where id = '${ADA}'`,
    },
    {
      guard: 'tiers_change_confirmed',
      keeps: 'limits become exactly what was confirmed',
      given: STAFF,
      refuses: `${limitsConfirmed(41)}; ${limits(42)}`,
      allows: `${limitsConfirmed(42)}; ${limits(42)}`,
    },
    {
      guard: 'tiers_change_confirmed',
      keeps: 'a customer’s own factor widens nothing',
      given: STAFF,
      refuses: `${limitsConfirmed(42, ADA)}; ${limits(42)}`,
      allows: `${limitsConfirmed(42, OLGA)}; ${limits(42)}`,
    },
    {
      guard: 'asset_networks_wider_confirmed',
      keeps: 'a pair is switched on by a second factor, with the terms that were confirmed; off at once',
      given: OFF,
      refuses: `${onConfirmed(`, 'fee_minor', 7`)}; ${switchOn}`,
      allows: `${onConfirmed('')}; ${switchOn}`,
    },
    {
      guard: 'asset_networks_wider_confirmed',
      keeps: 'whom people look at stays so until a second factor ends it',
      given: `${STAFF}; update asset_networks set review_all = true where asset_id = 'USDC'`,
      refuses: reviewOff,
      allows: `${setConfirmed('set_pair', '{"asset_id": "USDC", "network_id": "ethereum", "review_all": false}')}; ${reviewOff}`,
    },
    {
      guard: 'assets_wider_confirmed',
      keeps: 'a cap is raised or taken away by a second factor; a narrower one holds at once',
      given: `${CAPPED}; ${cap('4')}`,
      refuses: cap('null'),
      allows: `${setConfirmed('set_asset', '{"id": "USDC", "cap_24h_minor": "6"}')}; ${cap('6')}`,
    },
    {
      guard: 'networks_fewer_confirmed',
      keeps: 'fewer confirmations take a second factor; more hold at once',
      given: `${STAFF}; ${deepOf(30)}`,
      refuses: deepOf(29),
      allows: `${setConfirmed('set_network', '{"id": "ethereum", "confirmations_required": 29}')}; ${deepOf(29)}`,
    },
    {
      guard: 'networks_fewer_confirmed',
      keeps: 'nobody sends customers to another host by a stolen session alone',
      given: STAFF,
      refuses: `update networks set explorer_transaction_template = 'https://evil.test/{hash}' where id = 'ethereum'`,
      allows: `update networks set explorer_transaction_template = explorer_transaction_template || '?' where id = 'ethereum'`,
    },
    {
      guard: 'prices_by_hand_confirmed',
      keeps: 'a price becomes exactly what two people agreed on',
      given: PRICE_PROPOSED,
      refuses: `${priceSecond()}; ${confirmPrice()}; ${price(7)}`,
      allows: `${priceSecond()}; ${confirmPrice()}; ${price(8)}`,
    },
    {
      guard: 'prices_by_hand_confirmed',
      keeps: 'a second factor alone sets no price, nor does a proposal that nobody confirmed',
      given: PRICE_PROPOSED,
      refuses: `${priceSecond()}; ${price(8)}`,
      allows: `${priceSecond()}; ${confirmPrice()}; ${price(8)}`,
    },
    {
      guard: 'price_proposals_confirmed',
      keeps: 'a price is confirmed by the second factor of whoever confirms',
      given: PRICE_PROPOSED,
      refuses: `${priceSecond(OLGA)}; ${confirmPrice()}`,
      allows: `${priceSecond()}; ${confirmPrice()}`,
    },
    {
      guard: 'price_proposals_two_people',
      keeps: 'nobody confirms their own price',
      given: PRICE_PROPOSED,
      refuses: `${priceSecond(OLGA)}; ${confirmPrice(OLGA)}`,
      allows: `${priceSecond()}; ${confirmPrice()}`,
    },
    {
      guard: 'price_proposals_two_people',
      keeps: 'a proposal of a price comes before its confirmation',
      given: STAFF,
      refuses: proposePrice({ confirmed: true }),
      allows: proposePrice(),
    },
    {
      guard: 'price_proposals_confirmed_by_somebody',
      keeps: 'a confirmation of a price names a person',
      given: PRICE_PROPOSED,
      refuses: 'update price_proposals set confirmed_at = protocol_now()',
      allows: `${priceSecond()}; ${confirmPrice()}`,
    },
    {
      guard: 'price_proposals_immutable',
      keeps: 'the price that was proposed is the one that is confirmed',
      given: PRICE_PROPOSED,
      refuses: `${priceSecond()}; ${confirmPrice()}, reference_minor_per_unit = 9`,
      allows: `${priceSecond()}; ${confirmPrice()}`,
    },
    {
      guard: 'price_proposals_by_staff',
      keeps: 'customers propose no price',
      given: STAFF,
      refuses: proposePrice({ by: ADA }),
      allows: proposePrice(),
    },
    {
      guard: 'price_proposals_while_fresh',
      keeps: 'a price of a quarter of an hour ago is proposed anew',
      given: PRICE_PROPOSED,
      refuses: `${priceSecond()}; ${confirmPrice(OSCAR, `protocol_now() + interval '11 minutes'`)}`,
      allows: `${priceSecond()}; ${confirmPrice(OSCAR, `protocol_now() + interval '9 minutes'`)}`,
    },
    {
      guard: 'price_proposals_positive',
      keeps: 'at a price of nothing no limit holds',
      given: STAFF,
      refuses: proposePrice({ to: 0 }),
      allows: proposePrice({ to: 1 }),
    },
    {
      guard: 'price_proposals_never_deleted',
      keeps: 'which prices people set is not forgotten',
      given: PRICE_PROPOSED,
      refuses: 'delete from price_proposals',
      allows: 'select 1',
    },
  ],
});
