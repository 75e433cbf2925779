import { describeGuards } from './describe-guards.ts';
import { ADA, ADDRESS, BEN } from './house.ts';

const NEW_ID = '00000000-0000-4000-8000-0000000000ff';
const change = (status: string, assignment: string) =>
  `update withdrawals set ${assignment} where id = given_id('${status}')`;
const given = (status: string, sent = 'not_sent') => `select given_withdrawal('${status}', '${sent}')`;

/** A row as the accepting function writes it, with its hold, and what is to be different about it. */
function accept(different: Readonly<Record<string, string>> = {}): string {
  const columns: Record<string, string> = {
    id: `'${NEW_ID}'`,
    idempotency_key: `'${NEW_ID}'`,
    customer_id: `'${ADA}'`,
    asset_id: `'USDC'`,
    network_id: `'ethereum'`,
    address: `'${ADDRESS}'`,
    amount_minor: '100',
    fee_minor: '1',
    total_minor: '101',
    fee_mode: `'on_top'`,
    confirmations_required: '3',
    status: `'queued'`,
    ...different,
  };
  return `insert into withdrawals (${Object.keys(columns).join(', ')}) values (${Object.values(columns).join(', ')});
    select ledger_hold(w) from withdrawals w where w.id = '${NEW_ID}' and w.status <> 'refused'`;
}

const EFFECT = `insert into chain_effects (network_id, transaction_hash, ordinal, from_address, to_address, amount_minor, block_number, block_hash, state)
  values ('ethereum', '0xabc', 0, 'hot', '${ADDRESS}', 100, 7, '0x7', 'final')`;
const effectOf = (status: string) => change(status, 'completing_effect_id = (select max(id) from chain_effects)');

describeGuards({
  'what a withdrawal is': [
    {
      guard: 'withdrawals_idempotency_key_unique',
      keeps: 'one key names one withdrawal, over all customers and for ever',
      given: given('refused'),
      refuses: accept({
        customer_id: `'${BEN}'`,
        amount_minor: '1',
        total_minor: '2',
        idempotency_key: `given_id('refused')`,
      }),
      allows: accept(),
    },
    {
      guard: 'withdrawals_amount_positive',
      keeps: 'nothing is not an amount',
      refuses: accept({ amount_minor: '0', total_minor: '1' }),
      allows: accept({ amount_minor: '1', total_minor: '2' }),
    },
    {
      guard: 'withdrawals_fee_not_negative',
      keeps: 'a fee is never paid to the customer',
      refuses: accept({ fee_minor: '-1', total_minor: '99' }),
      allows: accept({ fee_minor: '0', total_minor: '100' }),
    },
    {
      guard: 'withdrawals_total_is_amount_and_fee',
      keeps: 'what is held is what arrives and what is charged',
      refuses: accept({ total_minor: '100' }),
      allows: accept({ total_minor: '101' }),
    },
    {
      guard: 'withdrawals_fee_mode',
      keeps: 'the fee is paid in one of two ways',
      refuses: accept({ fee_mode: `'later'` }),
      allows: accept({ fee_mode: `'from_amount'` }),
    },
    {
      guard: 'withdrawals_status',
      keeps: 'there are eleven statuses',
      given: 'alter table withdrawals disable trigger withdrawals_guard',
      refuses: accept({ status: `'lost'` }),
      allows: accept(),
    },
    {
      guard: 'withdrawals_first_status',
      keeps: 'a withdrawal begins before anything was sent',
      refuses: accept({ status: `'submitted'`, transfer_id: `'t'` }),
      allows: accept({ status: `'awaiting_approval'` }),
    },
    {
      guard: 'withdrawals_pair',
      keeps: 'an asset leaves on a network on which we pay it',
      given: `insert into networks (id, name, family, confirmations_required, explorer_transaction_template) values ('tron', 'Tron', 'tron', 20, 'x')`,
      refuses: accept({ network_id: `'tron'` }),
      allows: accept(),
    },
    {
      guard: 'withdrawals_meaning_complete',
      keeps: 'a request that may move money says what it means',
      refuses: accept({ address: 'null' }),
      allows: `select give_up_key('${NEW_ID}', '${NEW_ID}', '${ADA}', 10)`,
    },
    {
      guard: 'withdrawals_refused_iff_code',
      keeps: 'a refusal says why, and nothing else carries a refusal',
      refuses: accept({ status: `'refused'` }),
      allows: accept({ status: `'refused'`, refusal_code: `'look_alike'` }),
    },
    {
      guard: 'withdrawals_meaning_immutable',
      keeps: 'what was asked never changes',
      given: given('queued'),
      refuses: change('queued', `address = 'elsewhere'`),
      allows: change('queued', `wait_reason = 'paused_all'`),
    },
    {
      guard: 'withdrawals_never_deleted',
      keeps: 'no request is forgotten',
      given: given('refused'),
      refuses: `delete from withdrawals where id = given_id('refused')`,
      allows: change('refused', 'revision = revision + 1'),
    },
    {
      guard: 'withdrawals_confirmations_not_negative',
      keeps: 'a reorg takes confirmations down to none',
      given: given('broadcast'),
      refuses: change('broadcast', 'confirmations = -1'),
      allows: change('broadcast', 'confirmations = 0'),
    },
    {
      guard: 'withdrawals_parked_has_reason',
      keeps: 'a parked row says why',
      given: given('queued'),
      refuses: change('queued', 'parked_at = protocol_now()'),
      allows: change('queued', `parked_at = protocol_now(), parked_reason = 'attempts_exhausted'`),
    },
  ],
  'how a withdrawal moves': [
    {
      guard: 'withdrawals_fence_only_rises',
      keeps: 'an older claim never comes back',
      given: given('in_doubt'),
      refuses: change('in_doubt', 'fence = fence - 1'),
      allows: change('in_doubt', 'fence = fence + 1'),
    },
    {
      guard: 'withdrawals_claim_raises_fence',
      keeps: 'a claim shuts out the one before it',
      given: `${given('in_doubt')};
      insert into withdrawal_attempts (withdrawal_id, attempt, kind, fence, provider, provider_account, body, body_sha256)
      values (given_id('in_doubt'), 2, 'send', 2, 'mock', 'main', 'bytes', 'hash')`,
      refuses: change('in_doubt', `status = 'dispatching'`),
      allows: change('in_doubt', `status = 'dispatching', fence = 2`),
    },
    {
      guard: 'withdrawals_claim_has_attempt',
      keeps: 'the intent stands before the first byte leaves',
      given: given('queued'),
      refuses: change('queued', `status = 'dispatching', fence = 1`),
      allows: `${change('queued', `status = 'dispatching', fence = 1`)};
      insert into withdrawal_attempts (withdrawal_id, attempt, kind, fence, provider, provider_account, body, body_sha256)
      values (given_id('queued'), 1, 'send', 1, 'mock', 'main', 'bytes', 'hash')`,
    },
    {
      guard: 'withdrawals_queued_needs_every_attempt_unsent',
      keeps: 'a row that may be cancelled has nothing under way',
      given: given('dispatching', 'unknown'),
      refuses: change('dispatching', `status = 'queued'`),
      allows: `update withdrawal_attempts set outcome = 'not_sent' where withdrawal_id = given_id('dispatching');
      ${change('dispatching', `status = 'queued'`)}`,
    },
    {
      guard: 'withdrawals_no_send_against_proof',
      keeps: 'nothing is sent again once a transfer is known',
      given: `${given('in_doubt', 'in_doubt')}; update withdrawal_attempts set proved_absent_at = protocol_now() where withdrawal_id = given_id('in_doubt')`,
      refuses: `update withdrawal_attempts set late_outcome = 'accepted' where withdrawal_id = given_id('in_doubt');
      ${change('in_doubt', `status = 'queued'`)}`,
      allows: `update withdrawal_attempts set late_outcome = 'refused' where withdrawal_id = given_id('in_doubt');
      ${change('in_doubt', `status = 'queued'`)}`,
    },
    {
      guard: 'withdrawals_no_release_against_proof',
      keeps: 'no coins come back once a transfer is known',
      given: `${given('in_doubt', 'unknown')}; update withdrawal_attempts set outcome = 'accepted' where withdrawal_id = given_id('in_doubt')`,
      refuses: change('in_doubt', `status = 'failed', failure_code = 'x'`),
      allows: change('in_doubt', `status = 'submitted', transfer_id = 't'`),
    },
    {
      guard: 'withdrawals_no_release_against_proof',
      keeps: 'no coins come back once they were seen on the chain',
      given: `${given('queued')}; ${EFFECT}`,
      refuses: `update chain_effects set withdrawal_id = given_id('queued');
      ${change('queued', `status = 'cancelled'`)}; select ledger_void(w) from withdrawals w where id = given_id('queued')`,
      allows: `update chain_effects set withdrawal_id = given_id('queued'), state = 'orphaned';
      ${change('queued', `status = 'cancelled'`)}; select ledger_void(w) from withdrawals w where id = given_id('queued')`,
    },
    {
      guard: 'withdrawals_failed_needs_proof',
      keeps: 'unknown is not failed',
      given: given('in_doubt', 'in_doubt'),
      refuses: `update withdrawals w set status = 'failed', failure_code = 'x' where id = given_id('in_doubt');
      select ledger_void(w) from withdrawals w where id = given_id('in_doubt')`,
      allows: `update withdrawal_attempts set proved_absent_at = protocol_now(), late_outcome = 'refused' where withdrawal_id = given_id('in_doubt');
      update withdrawals w set status = 'failed', failure_code = 'x' where id = given_id('in_doubt');
      select ledger_void(w) from withdrawals w where id = given_id('in_doubt')`,
    },
    {
      guard: 'withdrawals_failed_needs_dead_transactions',
      keeps: 'a signed transaction may pay until it is dead',
      given: `${given('broadcast')}; insert into chain_cursors (network_id, block_number, block_hash) values ('ethereum', 1, '0x1');
        insert into withdrawal_transactions (withdrawal_id, transaction_hash, source) values (given_id('broadcast'), '0xabc', 'custody')`,
      refuses: `update withdrawals w set status = 'failed', failure_code = 'x' where id = given_id('broadcast');
      select ledger_void(w) from withdrawals w where id = given_id('broadcast')`,
      allows: `update withdrawal_transactions set dead_at = protocol_now(), dead_reason = 'nonce_spent';
      update withdrawals w set status = 'failed', failure_code = 'x' where id = given_id('broadcast');
      select ledger_void(w) from withdrawals w where id = given_id('broadcast')`,
    },
    {
      guard: 'withdrawals_failed_has_code',
      keeps: 'a failure says why',
      given: given('in_doubt'),
      refuses: change('in_doubt', `status = 'failed'`),
      allows: `${change('in_doubt', `status = 'failed', failure_code = 'x'`)};
      select ledger_void(w) from withdrawals w where id = given_id('in_doubt')`,
    },
    {
      guard: 'withdrawals_transfer_immutable',
      keeps: 'a withdrawal has one transfer',
      given: given('submitted'),
      refuses: change('submitted', `transfer_id = 'another'`),
      allows: change('submitted', `transaction_hash = '0xabc'`),
    },
    {
      guard: 'withdrawals_transfer_unique',
      keeps: 'a transfer pays one withdrawal',
      given: `${given('submitted')}; ${given('in_doubt')}`,
      refuses: change('in_doubt', `status = 'submitted', transfer_id = 'transfer of submitted'`),
      allows: change('in_doubt', `status = 'submitted', transfer_id = 'transfer of in_doubt'`),
    },
    {
      guard: 'withdrawals_provider_immutable',
      keeps: 'no second provider ever gets a copy',
      given: given('dispatching'),
      refuses: change('dispatching', `provider = 'another'`),
      allows: change('dispatching', `provider = 'mock'`),
    },
    {
      guard: 'withdrawals_sent_has_transfer',
      keeps: 'what custody has, it has under a name',
      given: given('dispatching'),
      refuses: change('dispatching', `status = 'submitted'`),
      allows: change('dispatching', `status = 'submitted', transfer_id = 't'`),
    },
    {
      guard: 'withdrawals_broadcast_has_transaction',
      keeps: 'what is on the network has a hash',
      given: given('submitted'),
      refuses: change('submitted', `status = 'broadcast'`),
      allows: change('submitted', `status = 'broadcast', transaction_hash = '0xabc'`),
    },
    {
      guard: 'withdrawals_completed_has_transaction',
      keeps: 'what arrived has a hash',
      given: given('submitted'),
      refuses: change('submitted', `status = 'completed'`),
      allows: `${change('submitted', `status = 'completed', transaction_hash = '0xabc'`)};
      select ledger_post(w) from withdrawals w where id = given_id('submitted')`,
    },
    {
      guard: 'withdrawals_completion_immutable',
      keeps: 'what completed a withdrawal stays',
      given: given('completed'),
      refuses: change('completed', `transaction_hash = '0xdef'`),
      allows: change('completed', `confirmations = 12`),
    },
    {
      guard: 'withdrawals_completing_effect_unique',
      keeps: 'an effect on the chain completes one withdrawal',
      given: `${given('broadcast')}; ${given('submitted')}; ${EFFECT}; ${effectOf('broadcast')}`,
      refuses: effectOf('submitted'),
      allows: `${EFFECT.replace("'0xabc', 0", "'0xabc', 1")}; ${effectOf('submitted')}`,
    },
    {
      guard: 'withdrawals_completing_effect',
      keeps: 'the effect that completes a withdrawal exists',
      given: `${given('broadcast')}; ${EFFECT}`,
      refuses: change('broadcast', 'completing_effect_id = 999999'),
      allows: effectOf('broadcast'),
    },
    {
      guard: 'withdrawals_accepted_has_hold',
      keeps: 'nothing is accepted on coins that can be spent elsewhere',
      refuses: accept().split(';')[0] ?? '',
      allows: accept(),
    },
    {
      guard: 'withdrawals_completed_has_post',
      keeps: 'the books know of every completed withdrawal',
      given: given('broadcast'),
      refuses: change('broadcast', `status = 'completed'`),
      allows: `${change('broadcast', `status = 'completed'`)}; select ledger_post(w) from withdrawals w where id = given_id('broadcast')`,
    },
    {
      guard: 'withdrawals_released_has_void',
      keeps: 'whoever is told that nothing left has the coins back',
      given: given('queued'),
      refuses: change('queued', `status = 'cancelled'`),
      allows: `${change('queued', `status = 'cancelled'`)}; select ledger_void(w) from withdrawals w where id = given_id('queued')`,
    },
  ],
});
