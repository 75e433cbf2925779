import { describeGuards } from './describe-guards.ts';

const given = (sent: string) => `select given_withdrawal('in_doubt', '${sent}')`;
const change = (assignment: string) =>
  `update withdrawal_attempts set ${assignment} where withdrawal_id = given_id('in_doubt')`;
const attempt = (values: string) => `
  insert into withdrawal_attempts (withdrawal_id, attempt, kind, fence, provider, provider_account, body, body_sha256)
  values (given_id('in_doubt'), 2, ${values})`;
const hash = `insert into withdrawal_transactions (withdrawal_id, transaction_hash, source) values (given_id('in_doubt'), '0xabc', 'custody')`;

describeGuards({
  'what was tried and what came of it': [
    {
      guard: 'withdrawal_attempts_kind',
      keeps: 'an attempt sends or looks up',
      given: given('in_doubt'),
      refuses: attempt(`'guess', 2, 'mock', 'main', 'bytes', 'hash'`),
      allows: attempt(`'look_up', 2, 'mock', 'main', null, null`),
    },
    {
      guard: 'withdrawal_attempts_send_has_bytes',
      keeps: 'the bytes are written down before they are sent',
      given: given('in_doubt'),
      refuses: attempt(`'send', 2, 'mock', 'main', null, null`),
      allows: attempt(`'send', 2, 'mock', 'main', 'bytes', 'hash'`),
    },
    {
      guard: 'withdrawal_attempts_one_send_a_fence',
      keeps: 'one claim sends once',
      given: given('in_doubt'),
      refuses: attempt(`'send', 1, 'mock', 'main', 'bytes', 'hash'`),
      allows: attempt(`'look_up', 1, 'mock', 'main', null, null`),
    },
    {
      guard: 'withdrawal_attempts_outcome',
      keeps: 'an answer is one of those the protocol knows',
      given: given('unknown'),
      refuses: change(`outcome = 'failed'`),
      allows: change(`outcome = 'in_doubt'`),
    },
    {
      guard: 'withdrawal_attempts_intent_immutable',
      keeps: 'the bytes of an attempt never change',
      given: given('in_doubt'),
      refuses: change(`body = 'other bytes'`),
      allows: change(`detail = '{"status": 502}'`),
    },
    {
      guard: 'withdrawal_attempts_outcome_once',
      keeps: 'a later answer is kept beside the first and never over it',
      given: given('in_doubt'),
      refuses: change(`outcome = 'refused'`),
      allows: change(`late_outcome = 'refused', late_at = protocol_now()`),
    },
    {
      guard: 'withdrawal_attempts_proof_stays',
      keeps: 'what proves a transfer is never written over',
      given: `${given('in_doubt')}; ${change(`late_outcome = 'accepted'`)}`,
      refuses: change('late_outcome = null'),
      allows: change(`late_outcome = 'found'`),
    },
    {
      guard: 'withdrawal_attempts_no_absence_against_proof',
      keeps: 'a transfer that is known is never called absent',
      given: `${given('unknown')}; ${change(`outcome = 'accepted'`)}`,
      refuses: change('proved_absent_at = protocol_now()'),
      allows: change('late_at = protocol_now()'),
    },
    {
      guard: 'withdrawal_attempts_never_deleted',
      keeps: 'an attempt is never forgotten',
      given: given('not_sent'),
      refuses: 'delete from withdrawal_attempts',
      allows: change('outcome_at = protocol_now()'),
    },
    {
      guard: 'withdrawal_transactions_never_deleted',
      keeps: 'every hash that custody named is kept',
      given: `${given('in_doubt')}; ${hash}`,
      refuses: 'delete from withdrawal_transactions',
      allows: `update withdrawal_transactions set dead_at = protocol_now(), dead_reason = 'nonce_spent'`,
    },
    {
      guard: 'withdrawal_history_append_only',
      keeps: 'what happened is not rewritten',
      given: given('in_doubt'),
      refuses: `update withdrawal_history set reason = 'nothing'`,
      allows: `insert into withdrawal_history (withdrawal_id, from_status, to_status, actor, reason)
      values (given_id('in_doubt'), 'dispatching', 'in_doubt', 'worker', 'timeout')`,
    },
  ],
});
