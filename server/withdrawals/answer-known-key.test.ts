import { expect, test } from 'vitest';
import { type Asked, answerKnownKey } from '#server/withdrawals/answer-known-key.ts';
import { aWithdrawalRow } from '#server/withdrawals/withdrawal-row.test-support.ts';

const row = aWithdrawalRow();
const asked: Asked & { kind: 'meaning' } = {
  kind: 'meaning',
  meaning: {
    asset: 'USDC',
    network: 'ethereum',
    address: '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed',
    memo: null,
    amountMinor: 1_500_000n,
    feeMode: 'on_top',
  },
};

test('the same meaning is a replay of the withdrawal as it stands', () => {
  expect(answerKnownKey(row, asked, row.customer_id)).toMatchObject({
    kind: 'replayed',
    withdrawal: { status: 'queued' },
  });
});

test('when the fee came out of the amount, what was asked for is the total', () => {
  const fromAmount = aWithdrawalRow({ fee_mode: 'from_amount' });
  const meaning = { ...asked.meaning, feeMode: 'from_amount' as const, amountMinor: 2_000_000n };
  expect(answerKnownKey(fromAmount, { kind: 'meaning', meaning }, row.customer_id).kind).toBe('replayed');
  const arrived = { ...meaning, amountMinor: 1_500_000n };
  expect(answerKnownKey(fromAmount, { kind: 'meaning', meaning: arrived }, row.customer_id)).toMatchObject({
    refusal: { code: 'idempotency_key_reused', fields: ['amount'] },
  });
});

test('a stranger learns nothing, not even that the meanings agree', () => {
  const answer = answerKnownKey(row, asked, 'somebody else');
  expect(answer).toEqual({ kind: 'refused', refusal: { code: 'idempotency_key_reused' }, withdrawalId: null });
});

test('what cannot be read cannot mean the same', () => {
  const answer = answerKnownKey(row, { kind: 'unreadable', fields: [] }, row.customer_id);
  expect(answer).toMatchObject({ refusal: { code: 'idempotency_key_reused', fields: ['body'] }, withdrawalId: row.id });
});

test('a stored refusal is given again, and a look-alike names the withdrawal it resembles', () => {
  const first = '01936b2e-0000-7000-8000-000000000002';
  const refused = aWithdrawalRow({ status: 'refused', refusal_code: 'look_alike', look_alike_of: first });
  expect(answerKnownKey(refused, asked, row.customer_id)).toEqual({
    kind: 'refused',
    refusal: { code: 'look_alike' },
    withdrawalId: first,
  });
});

test('a given-up key stays given up, whatever is sent under it', () => {
  const empty = {
    asset_id: null,
    network_id: null,
    address: null,
    amount_minor: null,
    fee_minor: null,
    total_minor: null,
  };
  const givenUp = aWithdrawalRow({ status: 'refused', refusal_code: 'given_up', ...empty });
  expect(answerKnownKey(givenUp, asked, row.customer_id)).toMatchObject({ refusal: { code: 'given_up' } });
});
