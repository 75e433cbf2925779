import { randomBytes } from 'node:crypto';
import { parseAmount } from './amount-text.ts';
import type { Asset } from './asset-table.ts';
import { findAsset, isPayableAddress, isPayableMemo } from './asset-table.ts';
import type { CreateQueue } from './create-queue.ts';
import type { CreateRequest } from './create-request.ts';
import type { CustodySettings } from './custody-settings.ts';
import type { HotWalletFunds } from './hot-wallet-funds.ts';
import type { PaymentNetwork } from './networks/payment-network.ts';
import { type Answer, jsonText, type ProblemCode, problem } from './problem.ts';

export type CreateOutcome = { answer: Answer; outcome: string; created: { transferId: string; asset: Asset } | null };

/**
 * One request to pay, decided and stored in one transaction. `refusal` forces a refusal (a fault switch asked for it).
 * Never throws for an expected outcome; a database error is thrown, and then nothing is known.
 */
export async function createTransfer(
  deps: {
    queue: CreateQueue;
    funds: HotWalletFunds;
    settings: CustodySettings;
    networks: readonly PaymentNetwork[];
  },
  input: { request: CreateRequest; refusal: string | null; shortOfFunds: boolean },
): Promise<CreateOutcome> {
  const { request } = input;
  const asset = findAsset(request.asset, request.network);
  const amountMinor = asset === undefined ? 0n : parseAmount(request.amount, asset.decimals);
  if (amountMinor === null)
    return nothing(problem(400, 'invalid_request', { detail: 'amount: more decimals than the asset has' }), 'invalid');
  const refusal = input.refusal ?? findRefusal(request, asset, amountMinor);

  const wanted = refusal === null && asset !== undefined && !input.shortOfFunds ? asset : null;
  const reserved = wanted !== null && (await reserve(deps, wanted, amountMinor));
  if (wanted !== null && !reserved && !deps.funds.known(wanted.network))
    return nothing(
      problem(503, 'maintenance', { detail: 'the network is not connected yet' }, { 'retry-after': '1' }),
      'maintenance',
    );

  const id = `tr_${randomBytes(12).toString('hex')}`;
  const refusalBody =
    refusal === null
      ? null
      : problem(422, isKnownRefusal(refusal) ? refusal : 'address_rejected', {
          code: refusal,
          externalId: request.externalId,
          transferId: id,
        }).body;
  let verdict: Awaited<ReturnType<CreateQueue['add']>>;
  try {
    verdict = await deps.queue.add({
      id,
      key: request.idempotencyKey,
      bodyHash: request.bodyHash,
      externalId: request.externalId,
      asset: request.asset,
      network: request.network,
      address: request.address,
      memo: request.memo,
      amount: request.amount,
      amountMinor: amountMinor.toString(),
      notAfter: request.notAfter,
      refusal,
      refusalAnswer: refusalBody,
      funded: reserved,
    });
  } catch (cause) {
    if (reserved && wanted !== null) deps.funds.release(wanted.network, wanted.asset, amountMinor);
    throw cause;
  }
  if (reserved && wanted !== null) {
    if (verdict.verdict === 'created') deps.funds.settle(wanted.network, wanted.asset, amountMinor);
    else deps.funds.release(wanted.network, wanted.asset, amountMinor);
  }

  const { rules } = deps.settings.profile();
  // Postgres puts spaces into JSON; what goes out is as compact as every other answer.
  const text = verdict.answer === null ? '' : JSON.stringify(JSON.parse(verdict.answer));
  switch (verdict.verdict) {
    case 'created':
      return {
        answer: jsonText(201, text),
        outcome: 'created',
        created: asset === undefined ? null : { transferId: id, asset },
      };
    case 'replayed': {
      const status = verdict.answer_status === 201 ? 200 : (verdict.answer_status ?? 500);
      const type = status === 200 ? 'application/json' : 'application/problem+json';
      return nothing(
        {
          ...jsonText(status, text, { 'idempotent-replayed': 'true' }),
          headers: { 'content-type': type, 'idempotent-replayed': 'true' },
        },
        'replayed',
      );
    }
    case 'refused':
      return nothing({ status: 422, headers: { 'content-type': 'application/problem+json' }, body: text }, 'refused');
    case 'duplicate':
      return nothing(
        problem(rules.duplicateStatus, 'duplicate_reference', {
          transferId: verdict.transfer_id,
          externalId: request.externalId,
        }),
        'duplicate',
      );
    case 'closed':
      return nothing(problem(422, 'reference_closed', { externalId: request.externalId }), 'closed');
    case 'key_reused':
      return nothing(problem(422, 'idempotency_key_reused'), 'key_reused');
    case 'expired':
      return nothing(problem(410, 'expired', { externalId: request.externalId }), 'expired');
    case 'insufficient':
      return nothing(problem(422, 'insufficient_hot_wallet_funds', { externalId: request.externalId }), 'insufficient');
    default:
      throw new Error(`no such verdict: ${String(verdict.verdict satisfies never)}`);
  }
}

async function reserve(
  deps: { funds: HotWalletFunds; networks: readonly PaymentNetwork[] },
  asset: Asset,
  amountMinor: bigint,
): Promise<boolean> {
  if (deps.funds.reserve(asset.network, asset.asset, amountMinor)) return true;
  // Somebody may have topped the wallet up since we last asked the chain.
  const network = deps.networks.find(({ name }) => name === asset.network);
  // A node that does not answer leaves us with what we knew.
  if (network !== undefined) await deps.funds.refresh(network).catch(() => undefined);
  return deps.funds.reserve(asset.network, asset.asset, amountMinor);
}

function findRefusal(request: CreateRequest, asset: Asset | undefined, amountMinor: bigint): ProblemCode | null {
  if (asset === undefined) return 'asset_not_supported';
  if (!isPayableAddress(asset.network, request.address) || !isPayableMemo(asset.network, request.memo))
    return 'address_rejected';
  if (amountMinor < asset.minimumMinor) return 'amount_too_small';
  return null;
}

function isKnownRefusal(code: string): code is 'address_rejected' | 'asset_not_supported' | 'amount_too_small' {
  return code === 'address_rejected' || code === 'asset_not_supported' || code === 'amount_too_small';
}

function nothing(answer: Answer, outcome: string): CreateOutcome {
  return { answer, outcome, created: null };
}
