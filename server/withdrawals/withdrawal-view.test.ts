import { expect, test } from 'vitest';
import { SEEDED_ASSET_NETWORKS, SEEDED_ASSETS } from '#domain/asset.ts';
import { aWithdrawalRow } from '#server/withdrawals/withdrawal-row.test-support.ts';
import { toWithdrawal } from '#server/withdrawals/withdrawal-row.ts';
import { toWithdrawalView } from '#server/withdrawals/withdrawal-view.ts';

const catalogue = {
  prices: new Map(),
  assets: SEEDED_ASSETS,
  pairs: SEEDED_ASSET_NETWORKS.map((pair) => ({ ...pair, networkName: `the ${pair.networkId} network` })),
};
const view = (more: Parameters<typeof aWithdrawalRow>[0] = {}, laterMs = 0) => {
  const row = aWithdrawalRow(more);
  return toWithdrawalView({ withdrawal: toWithdrawal(row), now: new Date(row.now.getTime() + laterMs) }, catalogue);
};

test('amounts are decimal text, times are ISO text, and nothing is undefined', () => {
  const shown = view();
  expect(shown).toMatchObject({ amount: '1.5', fee: '0.5', total: '2', requestedAt: '2026-11-30T12:00:00.000Z' });
  expect(JSON.parse(JSON.stringify(shown))).toEqual(shown);
});

test('the hash leads to the explorer of its network', () => {
  expect(view().explorerUrl).toBeNull();
  expect(view({ transaction_hash: '0xabc' }).explorerUrl).toBe('https://etherscan.io/tx/0xabc');
});

test.each([
  ['queued', 3_000, null],
  ['queued', 3_001, 'waiting_for_dispatch'],
  ['submitted', 60_000, null],
  ['in_doubt', 60_000, null],
] as const)('%s for %i ms waits because of %s', (status, laterMs, reason) => {
  expect(view({ status }, laterMs).waitReason).toBe(reason);
});

test('the reason in the row is shown at once, and none after the end', () => {
  expect(view({ wait_reason: 'custody_unavailable' }).waitReason).toBe('custody_unavailable');
  expect(view({ wait_reason: 'custody_unavailable', status: 'cancelled', ended_at: new Date() }).waitReason).toBeNull();
});

test.each([
  ['queued', true],
  ['awaiting_approval', true],
  ['dispatching', false],
  ['in_doubt', false],
  ['submitted', false],
  ['completed', false],
] as const)('%s can be cancelled: %s', (status, canCancel) => {
  expect(view({ status }).canCancel).toBe(canCancel);
});

test('a refusal and a failure say what happened in a sentence', () => {
  expect(view({ status: 'refused', refusal_code: 'look_alike' }).refusal).toMatchObject({
    code: 'look_alike',
    message: expect.stringMatching(/\.$/),
  });
  expect(view({ status: 'failed', failure_code: 'address_rejected' }).refusal).toEqual({
    code: 'address_rejected',
    message: expect.stringContaining('back in your balance'),
  });
  expect(view().refusal).toBeNull();
});
