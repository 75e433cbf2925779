import { describeGuards } from './describe-guards.ts';
import { CARLA } from './house.ts';

const OLGA = '00000000-0000-4000-8000-0000000000f1';
const OSCAR = '00000000-0000-4000-8000-0000000000f2';
const RESOLUTION = '00000000-0000-4000-8000-0000000000e1';

/** Two of the staff, and a withdrawal whose one send has no answer; custody was asked about it under the row's fence. */
const given = (more = '') => `
  insert into users (id, name, email, role) values ('${OLGA}', 'Olga', 'olga@guards.test', 'operator'), ('${OSCAR}', 'Oscar', 'oscar@guards.test', 'approver');
  select given_withdrawal('in_doubt', 'not_sent');
  insert into withdrawal_attempts (withdrawal_id, attempt, kind, fence, provider, provider_account, body, body_sha256, not_after, outcome)
    values (given_id('in_doubt'), 2, 'send', 2, 'mock', 'main', 'bytes', 'hash', protocol_now() - interval '1 hour', 'in_doubt');
  ${more}`;
const parked = `update withdrawals set parked_at = protocol_now(), parked_reason = 'attempts_exhausted' where id = given_id('in_doubt');`;
const looked = (detail: string) => `
  insert into withdrawal_attempts (withdrawal_id, attempt, kind, fence, provider, provider_account, outcome, detail)
    values (given_id('in_doubt'), 3, 'look_up', 1, 'mock', 'main', 'not_found', '{"absenceProved": ${detail === 'absence proved'}}');`;
/** Custody was asked past the not-after and found nothing; the house's first send never left. */
const proved = `${parked} ${looked('absence proved')}`;
const markProved = `update withdrawal_attempts set proved_absent_at = protocol_now() where withdrawal_id = given_id('in_doubt') and kind = 'send'`;
const propose = (
  deed: string,
  by = OLGA,
  fence = 1,
  revision = "(select revision from withdrawals where id = given_id('in_doubt'))",
) => `
  insert into withdrawal_resolutions (id, withdrawal_id, deed, fence, revision, reason, proposed_by)
    values ('${RESOLUTION}', given_id('in_doubt'), '${deed}', ${fence}, ${revision}, 'looked at it', '${by}')`;
const confirm = (by: string) =>
  `select given_confirmed('${by}', 'resolve', '${RESOLUTION}'); update withdrawal_resolutions set confirmed_by = '${by}', confirmed_at = protocol_now() where id = '${RESOLUTION}'`;
const fail = `update withdrawals set status = 'failed', failure_code = 'x' where id = given_id('in_doubt');
  select ledger_void(w) from withdrawals w where w.id = given_id('in_doubt')`;

const KEY = 'a'.repeat(64);
const statement = (
  more: { by?: string; word?: string; reference?: string; signature?: string; key?: string; at?: string } = {},
) => `
  insert into custody_statements (id, withdrawal_id, body, signature, key_sha256, signed_at, attached_by)
  select gen_random_uuid(), w.id, json_build_object('statement', 'no_transfer', 'externalId', ${more.reference ?? 'w.idempotency_key'},
    ${more.word ?? `'made', false, 'willMake', false`}, 'signedAt', t.at)::text, '${more.signature ?? 's'.repeat(88)}', '${more.key ?? KEY}', t.at, '${more.by ?? OLGA}'
  from withdrawals w, (select ${more.at ?? 'protocol_clock()'} as at) t where w.id = given_id('in_doubt')`;
/** Custody has it, gave it up, and nobody reads its chain. */
const atCustody = (more = '') => `${given()}
  select given_withdrawal('broadcast', 'unknown');
  update withdrawals set parked_at = protocol_now(), parked_reason = 'given_up_unproved' where id = given_id('broadcast');
  insert into withdrawal_transactions (withdrawal_id, transaction_hash, source) values (given_id('broadcast'), '0xabc', 'look_up');
  ${more}`;
const toBroadcast = (sql: string) => sql.replaceAll("given_id('in_doubt')", "given_id('broadcast')");
const toQueued = (sql: string) => sql.replaceAll("given_id('in_doubt')", "given_id('queued')");
const neverPaid = (will = 'false') =>
  toBroadcast(statement({ word: `'paid', false, 'willPay', ${will}` })).replace("'no_transfer'", "'never_paid'");
const endBroadcast = `update withdrawal_transactions set dead_at = protocol_now() where withdrawal_id = given_id('broadcast'); ${toBroadcast(fail)}`;
const view = (name: string, query: string) =>
  `insert into saved_views (id, user_id, name, query) values (gen_random_uuid(), '${OLGA}', '${name}', '${query}')`;

describeGuards({
  'what custody signed': [
    {
      guard: 'withdrawal_resolutions_release_needs_proof',
      keeps: 'custody’s word counts about what was sent before it was given',
      given: given(parked),
      refuses: `${statement({ at: `protocol_now() - interval '2 hours'` })}; ${propose('release')}`,
      allows: `${statement()}; ${propose('release')}`,
    },
    {
      guard: 'withdrawal_resolutions_release_needs_proof',
      keeps: 'custody’s word never counts against a fact',
      given: `${given(parked)}; ${statement()};
        insert into withdrawal_transactions (withdrawal_id, transaction_hash, source) values (given_id('in_doubt'), '0xaa', 'custody')`,
      refuses: propose('release'),
      allows: propose('hand_back'),
    },
    {
      guard: 'custody_statements_by_staff',
      keeps: 'customers attach nothing to their own doubt',
      given: given(parked),
      refuses: statement({ by: CARLA }),
      allows: statement({ by: OSCAR }),
    },
    {
      guard: 'custody_statements_of_this_reference',
      keeps: 'a statement about another reference says nothing here',
      given: given(parked),
      refuses: statement({ reference: 'gen_random_uuid()' }),
      allows: statement(),
    },
    {
      guard: 'custody_statements_of_this_reference',
      keeps: 'not made is not enough: it is not going to be made either',
      given: given(parked),
      refuses: statement({ word: `'made', false` }),
      allows: statement(),
    },
    {
      guard: 'custody_statements_not_of_tomorrow',
      keeps: 'nobody signs ahead of time',
      given: given(parked),
      refuses: statement({ at: `protocol_now() + interval '1 day'` }),
      allows: statement(),
    },
    {
      guard: 'custody_statements_signed',
      keeps: 'a statement without a signature is hearsay',
      given: given(parked),
      refuses: statement({ signature: '' }),
      allows: statement(),
    },
    {
      guard: 'custody_statements_key',
      keeps: 'a statement names the key under which it was verified',
      given: given(parked),
      refuses: statement({ key: 'ours' }),
      allows: statement(),
    },
    {
      guard: 'custody_statements_once',
      keeps: 'a statement that is attached again is no second one',
      given: `${given(parked)}; ${statement({ at: 'protocol_now()' })}`,
      refuses: statement({ at: 'protocol_now()' }),
      allows: statement(),
    },
    {
      guard: 'custody_statements_append_only',
      keeps: 'what custody signed stays as it was signed',
      given: `${given(parked)}; ${statement()}`,
      refuses: `update custody_statements set signature = reverse(signature)`,
      allows: 'select * from custody_statements',
    },
  ],
  'what custody gave up where nobody of ours reads the chain': [
    {
      guard: 'withdrawal_resolutions_release_needs_proof',
      keeps: 'it is released on custody’s signed word that it was not and will not be paid, and on no other',
      given: atCustody(),
      refuses: `${toBroadcast(statement())}; ${toBroadcast(propose('release'))}`,
      allows: `${neverPaid()}; ${toBroadcast(propose('release'))}`,
    },
    {
      guard: 'withdrawal_resolutions_release_needs_proof',
      keeps: 'a chain that we read is the better witness',
      given: atCustody(neverPaid()),
      refuses: `insert into chain_cursors (network_id, block_number, block_hash) values ('ethereum', 1, '0x1'); ${toBroadcast(propose('release'))}`,
      allows: toBroadcast(propose('release')),
    },
    {
      guard: 'withdrawal_resolutions_release_needs_proof',
      keeps: 'a transaction that was named after custody’s word speaks against it',
      given: atCustody(neverPaid()),
      refuses: `insert into withdrawal_transactions (withdrawal_id, transaction_hash, source, first_seen_at)
        values (given_id('broadcast'), '0xdef', 'look_up', protocol_now() + interval '1 minute'); ${toBroadcast(propose('release'))}`,
      allows: toBroadcast(propose('release')),
    },
    {
      guard: 'custody_statements_of_this_reference',
      keeps: 'that it was not paid is half of it',
      given: atCustody(),
      refuses: neverPaid('true'),
      allows: neverPaid(),
    },
    {
      guard: 'withdrawal_resolutions_of_a_parked_doubt',
      keeps: 'nobody hands back what the machine has no rule for',
      given: atCustody(neverPaid()),
      refuses: toBroadcast(propose('hand_back')),
      allows: toBroadcast(propose('release')),
    },
    {
      guard: 'withdrawals_unread_released_by_two',
      keeps: 'an earlier refusal ends nothing that was signed later',
      given: atCustody(`${neverPaid()}; ${toBroadcast(propose('release'))};
        update withdrawal_attempts set outcome = 'refused' where withdrawal_id = given_id('broadcast')`),
      refuses: endBroadcast,
      allows: `${confirm(OSCAR)}; ${endBroadcast}`,
    },
    {
      guard: 'withdrawals_unread_released_by_two',
      keeps: 'nobody takes the flag away first',
      given: atCustody(`${neverPaid()}; ${toBroadcast(propose('release'))}`),
      refuses: `update withdrawals set parked_at = null, parked_reason = null where id = given_id('broadcast'); ${endBroadcast}`,
      allows: `${confirm(OSCAR)}; ${endBroadcast}`,
    },
    {
      guard: 'withdrawals_unread_released_by_two',
      keeps: 'no script ends it, whatever it calls dead',
      given: atCustody(`${neverPaid()}; ${toBroadcast(propose('release'))}`),
      refuses: endBroadcast,
      allows: `${confirm(OSCAR)}; ${endBroadcast}`,
    },
  ],
  'views that people keep': [
    {
      guard: 'saved_views_name',
      keeps: 'a view has a name that fits its button',
      given: given(),
      refuses: view('', '?status=failed'),
      allows: view('mine', '?status=failed'),
    },
    {
      guard: 'saved_views_query',
      keeps: 'a view is a query of the list, and no address of elsewhere',
      given: given(),
      refuses: view('mine', 'https://elsewhere.test'),
      allows: view('mine', ''),
    },
    {
      guard: 'saved_views_name_unique',
      keeps: 'one person has one view of a name',
      given: `${given()}; ${view('mine', '')}`,
      refuses: view('mine', '?sort=newest'),
      allows: view('mine too', '?sort=newest'),
    },
  ],
  'what two people decide about a doubt': [
    {
      guard: 'withdrawal_resolutions_deed',
      keeps: 'people release or hand back, and do nothing else',
      given: given(parked),
      refuses: propose('resend'),
      allows: propose('hand_back'),
    },
    {
      guard: 'withdrawal_resolutions_reason',
      keeps: 'a proposal says why',
      given: given(parked),
      refuses: propose('hand_back').replace('looked at it', ''),
      allows: propose('hand_back'),
    },
    {
      guard: 'withdrawal_resolutions_two_people',
      keeps: 'nobody confirms their own proposal',
      given: `${given(parked)}; ${propose('hand_back')}`,
      refuses: confirm(OLGA),
      allows: confirm(OSCAR),
    },
    {
      guard: 'withdrawal_resolutions_confirmed_by_somebody',
      keeps: 'a confirmation has a person and a time',
      given: `${given(parked)}; ${propose('hand_back')}`,
      refuses: `update withdrawal_resolutions set confirmed_by = '${OSCAR}' where id = '${RESOLUTION}'`,
      allows: confirm(OSCAR),
    },
    {
      guard: 'withdrawal_resolutions_immutable',
      keeps: 'what was proposed is what is confirmed',
      given: `${given(parked)}; ${propose('hand_back')}`,
      refuses: `update withdrawal_resolutions set deed = 'release' where id = '${RESOLUTION}'`,
      allows: confirm(OSCAR),
    },
    {
      guard: 'withdrawal_resolutions_never_deleted',
      keeps: 'what was proposed stays on record',
      given: `${given(parked)}; ${propose('hand_back')}`,
      refuses: 'delete from withdrawal_resolutions',
      allows: confirm(OSCAR),
    },
    {
      guard: 'withdrawal_resolutions_by_staff',
      keeps: 'customers decide nothing about their own doubt',
      given: given(parked),
      refuses: propose('hand_back', CARLA),
      allows: propose('hand_back', OSCAR),
    },
    {
      guard: 'withdrawal_resolutions_of_a_parked_doubt',
      keeps: 'what was parked before it was sent is handed back, and released by nobody',
      given: `${given()} select given_withdrawal('queued', 'unknown');
        update withdrawals set parked_at = protocol_now(), parked_reason = 'operator' where id = given_id('queued');`,
      refuses: toQueued(propose('release', OLGA, 0)),
      allows: toQueued(propose('hand_back', OLGA, 0)),
    },
    {
      guard: 'withdrawal_resolutions_of_a_parked_doubt',
      keeps: 'as long as the machine can decide, it decides',
      given: given(),
      refuses: propose('hand_back'),
      allows: `${parked} ${propose('hand_back')}`,
    },
    {
      guard: 'withdrawal_resolutions_of_this_evidence',
      keeps: 'a decision is about the newest look-up and the newest fact',
      given: given(parked),
      refuses: propose('hand_back', OLGA, 2),
      allows: propose('hand_back'),
    },
    {
      guard: 'withdrawal_resolutions_release_needs_proof',
      keeps: 'age proves nothing: funds are released on proof of absence',
      given: given(`${parked} ${looked('absence not proved')}`),
      refuses: propose('release'),
      allows: propose('hand_back'),
    },
    {
      guard: 'withdrawals_released_by_two',
      keeps: 'absence that is proved still needs two people',
      given: `${given(proved)}; ${propose('release')}`,
      refuses: `${markProved}; ${fail}`,
      allows: `${confirm(OSCAR)}; ${markProved}; ${fail}`,
    },
    {
      guard: 'withdrawals_released_by_two',
      keeps: 'a refusal of custody that is on record needs nobody',
      given: given(parked),
      refuses: `${markProved}; ${fail}`,
      allows: `update withdrawal_attempts set late_outcome = 'refused' where withdrawal_id = given_id('in_doubt') and attempt = 2; ${markProved}; ${fail}`,
    },
  ],
  'what was counted': [
    {
      guard: 'replay_counts_positive',
      keeps: 'nothing is counted down',
      refuses: `insert into replay_counts (hour, replays) values (now(), 0)`,
      allows: `insert into replay_counts (hour, replays) values (now(), 1)`,
    },
    {
      guard: 'invariant_checks_not_negative',
      keeps: 'a count is a count',
      refuses: `insert into invariant_checks (name, violations) values ('lost', -1)`,
      allows: `insert into invariant_checks (name, violations) values ('lost', null)`,
    },
  ],
});
