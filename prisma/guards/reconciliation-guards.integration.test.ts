import { describeGuards } from './describe-guards.ts';
import { ADA, BEN, CARLA } from './house.ts';

const staff = `update users set role = 'operator' where id in ('${BEN}', '${CARLA}')`;
const run = (cause: string, more = '') =>
  `insert into reconciliation_runs (cause, asked_by${more ? ', started_at, ended_at, outcome' : ''}) values ('${cause}', 'olga'${more})`;
const finding = (books: string, kind: string, subject = 'x') => `
  insert into reconciliation_discrepancies (books, kind, subject, first_run_id, last_run_id)
  select '${books}', '${kind}', '${subject}', max(id), max(id) from reconciliation_runs`;
const aRun = run('interval');
const aFinding = `${aRun}; ${finding('ours_custody', 'differs')}`;
const close = (fields: string) => `update reconciliation_discrepancies set ${fields}`;
const spell = `insert into look_up_only_spells (reason, provider, provider_account, not_after) values ('restored', 'mock', 'main', '10 minutes'); update protocol_settings set mode = 'look_up_only', mode_since = now()`;
const propose = `update look_up_only_spells set end_proposed_by = '${BEN}', end_proposed_at = now()`;
const confirm = (person: string) =>
  `select given_confirmed('${person}', 'end_look_up_only', l.id::text) from look_up_only_spells l where l.ended_at is null; update look_up_only_spells set ended_by = '${person}', ended_at = now()`;
const evidence = `insert into look_up_only_evidence (transfer_id, spell_id, reference, belief) select 't', id, 'r', 'unknown' from look_up_only_spells`;
const lost = (body: string, outcome: string, reason: string) => `
  insert into withdrawal_attempts (withdrawal_id, attempt, kind, fence, provider, provider_account, body, body_sha256, outcome, detail)
  values (given_id('queued'), 1, 'send', 1, 'mock', 'main', '${body}', 'hash', ${outcome}, '{"reason":"${reason}"}')`;
const waiting = `
  select given_withdrawal('awaiting_approval');
  update withdrawals set status = 'in_doubt', fence = 1 where id = given_id('awaiting_approval')`;
const approve = `
  update users set role = 'approver' where id = '${CARLA}';
  select given_confirmed('${CARLA}', 'approve', given_id('awaiting_approval')::text);
  insert into approvals (withdrawal_id, approver_id, decision, payload_sha256, revision)
  select w.id, '${CARLA}', 'approved', withdrawal_payload_sha256(w), w.revision from withdrawals w where w.id = given_id('awaiting_approval')`;
const backToQueue = `update withdrawals set status = 'queued' where id = given_id('awaiting_approval')`;

describeGuards({
  'runs and findings': [
    {
      guard: 'reconciliation_runs_cause',
      keeps: 'a run has one of three causes',
      refuses: run('whim'),
      allows: run('start'),
    },
    {
      guard: 'reconciliation_runs_outcome',
      keeps: 'a run ends in one of four ways',
      refuses: run('start', `, now(), now(), 'well'`),
      allows: run('start', `, now(), now(), 'agreed'`),
    },
    {
      guard: 'reconciliation_runs_ended_with_outcome',
      keeps: 'an ended run says how',
      refuses: run('start', `, now(), now(), null`),
      allows: run('start', `, now(), null, null`),
    },
    {
      guard: 'reconciliation_runs_one_asked',
      keeps: 'pressing twice asks once',
      given: run('demand'),
      refuses: run('demand'),
      allows: `update reconciliation_runs set started_at = now(); ${run('demand')}`,
    },
    {
      guard: 'reconciliation_runs_never_deleted',
      keeps: 'that the books were compared is not forgotten',
      given: aRun,
      refuses: 'delete from reconciliation_runs',
      allows: 'update reconciliation_runs set transfers = 3',
    },
    {
      guard: 'reconciliation_discrepancies_books',
      keeps: 'a finding names the books that differ',
      given: aRun,
      refuses: finding('diary', 'differs'),
      allows: finding('balances', 'differs'),
    },
    {
      guard: 'reconciliation_discrepancies_kind',
      keeps: 'there are four kinds of finding',
      given: aRun,
      refuses: finding('balances', 'odd'),
      allows: finding('balances', 'twice'),
    },
    {
      guard: 'reconciliation_discrepancies_one_open',
      keeps: 'a finding that is seen again is no second one',
      given: aFinding,
      refuses: finding('ours_custody', 'differs'),
      allows: finding('ours_custody', 'differs', 'y'),
    },
    {
      guard: 'reconciliation_discrepancies_closed_by_somebody',
      keeps: 'a finding is closed by a person with a reason',
      given: aFinding,
      refuses: close(`closed_at = now()`),
      allows: close(`closed_at = now(), closed_by = '${CARLA}', closed_reason = 'explained'`),
    },
    {
      guard: 'reconciliation_discrepancies_history_stays',
      keeps: 'what was found is not found away',
      given: aFinding,
      refuses: close(`subject = 'z'`),
      allows: close(`last_seen_at = now()`),
    },
    {
      guard: 'reconciliation_discrepancies_never_deleted',
      keeps: 'a finding stays',
      given: aFinding,
      refuses: 'delete from reconciliation_discrepancies',
      allows: close(`last_seen_at = now()`),
    },
    {
      guard: 'assets_deficit_band_not_negative',
      keeps: 'a band has a width',
      refuses: `update assets set deficit_band_minor = -1`,
      allows: `update assets set deficit_band_minor = 1`,
    },
  ],
  'look-up only': [
    {
      guard: 'look_up_only_spells_one_open',
      keeps: 'there is one spell at a time',
      given: spell,
      refuses: spell,
      allows: `${staff}; ${propose}; ${confirm(CARLA)}; ${spell}`,
    },
    {
      guard: 'look_up_only_spells_ended_by_two',
      keeps: 'one person alone ends no spell, not even by naming two in one update',
      given: `${staff}; ${spell}`,
      refuses: `update look_up_only_spells set end_proposed_by = '${BEN}', ended_by = '${CARLA}', ended_at = now()`,
      allows: `${propose}; ${confirm(CARLA)}`,
    },
    {
      guard: 'look_up_only_spells_ended_by_two',
      keeps: 'who proposes does not confirm',
      given: `${staff}; ${spell}; ${propose}`,
      refuses: confirm(BEN),
      allows: confirm(CARLA),
    },
    {
      guard: 'look_up_only_spells_ended_by_staff',
      keeps: 'no customer ends a spell',
      given: `${staff}; ${spell}; ${propose}`,
      refuses: confirm(ADA),
      allows: confirm(CARLA),
    },
    {
      guard: 'look_up_only_spells_history_stays',
      keeps: 'a spell keeps its reason',
      given: spell,
      refuses: `update look_up_only_spells set reason = 'nothing'`,
      allows: `${staff}; ${propose}`,
    },
    {
      guard: 'look_up_only_spells_never_deleted',
      keeps: 'a spell is not deleted to end it',
      given: spell,
      refuses: 'delete from look_up_only_spells',
      allows: `${staff}; ${propose}`,
    },
    {
      guard: 'look_up_only_evidence_append_only',
      keeps: 'what told us stays told',
      given: `${spell}; ${evidence}`,
      refuses: 'delete from look_up_only_evidence',
      allows: `insert into look_up_only_evidence select 'u', spell_id, reference, belief from look_up_only_evidence`,
    },
    {
      guard: 'protocol_settings_mode_ended_by_two',
      keeps: 'no script switches sending on again',
      given: `${staff}; ${spell}`,
      refuses: `update protocol_settings set mode = 'normal'`,
      allows: `${propose}; ${confirm(CARLA)}; update protocol_settings set mode = 'normal'`,
    },
  ],
  'a lost memory': [
    {
      guard: 'withdrawal_attempts_lost_is_in_doubt',
      keeps: 'a send without bytes is one that a lost memory may have made',
      given: `select given_withdrawal('queued')`,
      refuses: lost('', `'not_sent'`, 'memory_lost'),
      allows: lost('', `'in_doubt'`, 'memory_lost'),
    },
    {
      guard: 'withdrawals_doubt_ends_approved',
      keeps: 'what waited for approval does not come out of doubt into the queue without it',
      given: waiting,
      refuses: backToQueue,
      allows: `update withdrawals set next_action_at = now() where id = given_id('awaiting_approval')`,
    },
    {
      guard: 'withdrawals_doubt_ends_approved',
      keeps: 'what was approved before it came into doubt goes back to the queue',
      given: `select given_withdrawal('awaiting_approval'); ${approve}; update withdrawals set status = 'in_doubt', fence = 1 where id = given_id('awaiting_approval')`,
      refuses: `alter table approvals disable trigger user; delete from approvals; ${backToQueue}`,
      allows: backToQueue,
    },
  ],
});
