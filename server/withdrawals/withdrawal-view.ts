import { parseAddress } from '#domain/address.ts';
import { explorerTransactionUrl, type NetworkFamily } from '#domain/asset.ts';
import { invariant } from '#domain/invariant.ts';
import { formatAmount } from '#domain/money.ts';
import { REFUSALS } from '#domain/refusal.ts';
import { isTerminal, type WithdrawalStatus } from '#domain/withdrawal.ts';
import type { FeeMode } from '#domain/withdrawal-fee.ts';
import type { SeenWithdrawal } from '#server/withdrawals/answer-known-key.ts';
import type { AssetCatalogue } from '#server/withdrawals/find-asset-catalogue.ts';
import type { Withdrawal } from '#server/withdrawals/withdrawal-row.ts';
import { type StepName, stepsOf } from '#server/withdrawals/withdrawal-steps.ts';

/** A withdrawal as it goes over the wire: amounts are decimal text in whole units, times are ISO text. */
export interface WithdrawalView {
  withdrawalId: string;
  idempotencyKey: string;
  status: WithdrawalStatus;
  asset: string;
  network: string;
  networkName: string;
  address: string;
  memo: string | null;
  /** What arrives. */
  amount: string;
  fee: string;
  total: string;
  feeMode: FeeMode;
  requestedAt: string;
  updatedAt: string;
  steps: { step: StepName; at: string | null; state: 'done' | 'current' | 'expected' }[];
  transactionHash: string | null;
  explorerUrl: string | null;
  confirmations: number;
  confirmationsRequired: number;
  /** Why it does not move at the moment, as a stable word; null while it does. */
  waitReason: string | null;
  canCancel: boolean;
  refusal: { code: string; message: string } | null;
  parked: boolean;
}

/** A queued withdrawal is claimed within a fraction of a second; whoever waits longer than this should read why. */
const DISPATCH_EXPECTED_MS = 3_000;

/** Shows a withdrawal to its owner or to staff. */
export function toWithdrawalView(seen: SeenWithdrawal, catalogue: AssetCatalogue): WithdrawalView {
  const { withdrawal } = seen;
  const { pair, decimals } = findTerms(withdrawal, catalogue);
  const hash = withdrawal.transactionHash;
  return {
    withdrawalId: withdrawal.withdrawalId,
    idempotencyKey: withdrawal.idempotencyKey,
    status: withdrawal.status,
    asset: withdrawal.assetId,
    network: withdrawal.networkId,
    networkName: pair.networkName,
    address: displayAddress(pair.family, withdrawal.address),
    memo: withdrawal.memo,
    amount: formatAmount(withdrawal.amountMinor, decimals),
    fee: formatAmount(withdrawal.feeMinor, decimals),
    total: formatAmount(withdrawal.totalMinor, decimals),
    feeMode: withdrawal.feeMode,
    requestedAt: withdrawal.requestedAt.toISOString(),
    updatedAt: withdrawal.updatedAt.toISOString(),
    steps: stepsOf(withdrawal).map(({ step, at, state }) => ({ step, at: at?.toISOString() ?? null, state })),
    transactionHash: hash,
    explorerUrl: hash === null ? null : explorerTransactionUrl(pair, hash),
    confirmations: withdrawal.confirmations,
    confirmationsRequired: withdrawal.confirmationsRequired,
    waitReason: waitReasonOf(seen),
    canCancel: withdrawal.status === 'queued' || withdrawal.status === 'awaiting_approval',
    refusal: refusalOf(withdrawal),
    parked: withdrawal.parkedAt !== null,
  };
}

/** As people compare it: an EVM address with its checksum in its capitals (EIP-55). What cannot be read is shown as kept. */
function displayAddress(family: NetworkFamily, address: string): string {
  const parsed = parseAddress(family, address);
  return parsed.kind === 'ok' ? parsed.address.display : address;
}

/** Terms of the pair of a stored withdrawal. Pairs are switched off, never removed. */
export function findTerms(withdrawal: Pick<Withdrawal, 'assetId' | 'networkId'>, catalogue: AssetCatalogue) {
  const pair = catalogue.pairs.find(
    (one) => one.assetId === withdrawal.assetId && one.networkId === withdrawal.networkId,
  );
  const asset = catalogue.assets.find((one) => one.id === withdrawal.assetId);
  invariant(pair !== undefined && asset !== undefined, 'withdrawals_pair');
  return { pair, decimals: asset.decimals };
}

/** Why a withdrawal does not move: what the row says, or that nobody has claimed it for a while. */
export function waitReasonOf({ withdrawal, now }: SeenWithdrawal): string | null {
  if (isTerminal(withdrawal.status)) return null;
  if (withdrawal.waitReason !== null) return withdrawal.waitReason;
  const waitedMs = now.getTime() - withdrawal.statusSince.getTime();
  return withdrawal.status === 'queued' && waitedMs > DISPATCH_EXPECTED_MS ? 'waiting_for_dispatch' : null;
}

function refusalOf(withdrawal: Withdrawal): { code: string; message: string } | null {
  if (withdrawal.refusalCode !== null) {
    return { code: withdrawal.refusalCode, message: REFUSALS[withdrawal.refusalCode].message };
  }
  if (withdrawal.status !== 'failed') return null;
  return {
    code: withdrawal.failureCode ?? 'failed',
    message: 'The transfer was not made. The amount and the fee are back in your balance.',
  };
}
