import type { RequestMeaning } from '#domain/idempotency-key.ts';
import { type Refusal, refuse } from '#domain/refusal.ts';
import type { IdempotencyKey, WithdrawalId } from '#domain/withdrawal.ts';
import type { Proof } from '#server/auth/check-step-up.ts';
import type { Db } from '#server/db/database.ts';
import { reachFaultPoint } from '#server/fault-points.ts';
import { findWithdrawalByKeySql } from '#server/sql/find-withdrawal-by-key.sql.ts';
import { acceptAlone } from '#server/withdrawals/accept-alone.ts';
import type { Accept, AcceptanceCall, AcceptedRow } from '#server/withdrawals/acceptance-call.ts';
import {
  type Asked,
  answerKnownKey,
  answerStoredRefusal,
  type KnownKeyAnswer,
  type SeenWithdrawal,
} from '#server/withdrawals/answer-known-key.ts';
import type { CatalogueCache } from '#server/withdrawals/catalogue-cache.ts';
import { decideWithdrawalRequest, type Verdict } from '#server/withdrawals/decide-withdrawal-request.ts';
import type { AssetCatalogue } from '#server/withdrawals/find-asset-catalogue.ts';
import {
  type Reading,
  type ReadRequest,
  readWithdrawalRequest,
  type WireRequest,
} from '#server/withdrawals/read-withdrawal-request.ts';
import { toWithdrawal, type WithdrawalRow } from '#server/withdrawals/withdrawal-row.ts';

export interface WithdrawalRequest {
  /** Named now, used only if the key is new. */
  readonly withdrawalId: WithdrawalId;
  readonly idempotencyKey: IdempotencyKey;
  readonly customerId: string;
  /** The request, or why its body cannot be read: a known key is answered all the same. */
  readonly body:
    | { readonly kind: 'read'; readonly wire: WireRequest }
    | { readonly kind: 'refused'; readonly refusal: Refusal };
  /** The withdrawal that the customer knowingly repeats. */
  readonly lookAlikeOf: string | null;
  /** Reads what came to confirm the request; null where nothing came. Asked only for a key that is new. */
  readonly confirm: ((meaning: RequestMeaning) => Promise<Confirmation>) | null;
  /** When the page saw the press, by the page's clock; for measuring only. */
  readonly clickedAt: Date | null;
}

/** A code or signature that was verified and is spent by the accepting transaction; or why it confirms nothing. */
export type Confirmation =
  | { readonly kind: 'proved'; readonly proof: Proof; readonly fingerprint: string }
  | { readonly kind: 'refused'; readonly refusal: Refusal };

export type RequestAnswer =
  | ({ readonly kind: 'accepted'; readonly outboxId: bigint | null } & SeenWithdrawal)
  | KnownKeyAnswer
  /** The person has no customer row yet. */
  | { readonly kind: 'no_customer' };

/** Fifty stored refusals in a day: more than a person makes, fewer than a script wants. */
const REFUSED_DAILY_MAX = 50;

/**
 * Takes a withdrawal under its key, at most once: the row, its hold, its history and its outbox row, or the answer that
 * the key already has. The key comes before everything else that may refuse.
 *
 * @param deps.accept gathers requests that come together; without it each is accepted alone
 * @throws DatabaseError; after `outcome_unknown` and `lock_timeout` only the key itself can tell what happened
 */
export async function requestWithdrawal(
  deps: { db: Db; catalogue: CatalogueCache; accept?: Accept },
  request: WithdrawalRequest,
): Promise<RequestAnswer> {
  const { reading, verdict } = await decide(deps, request);
  if (reading.kind === 'refused')
    return refuseUnlessKnown(deps, request, reading.refusal, toUnreadable(reading.refusal));
  const asked: Asked = { kind: 'meaning', meaning: reading.request.meaning };
  if (verdict === null || verdict.kind === 'refused') {
    return refuseUnlessKnown(deps, request, verdict?.refusal ?? refuse('request_malformed'), asked);
  }
  const confirmation = request.confirm === null ? null : await confirmNew(deps, request, reading.request);
  if (confirmation?.kind === 'refused') return refuseUnlessKnown(deps, request, confirmation.refusal, asked);
  await reachFaultPoint('C1');
  const row = await accept(deps, request, reading.request, verdict, confirmation);
  await reachFaultPoint('C2');
  return answer(row, asked, request.customerId);
}

/** A known key is answered without looking at its code: the first copy of this very request may have spent it. */
async function confirmNew(
  deps: { db: Db },
  request: WithdrawalRequest,
  read: ReadRequest,
): Promise<Confirmation | null> {
  const [known] = await deps.db.query<WithdrawalRow>(findWithdrawalByKeySql, [request.idempotencyKey]);
  return known === undefined && request.confirm !== null ? await request.confirm(read.meaning) : null;
}

async function decide(
  deps: { catalogue: CatalogueCache },
  request: WithdrawalRequest,
): Promise<{ reading: Reading; verdict: Verdict | null }> {
  const first = decideBy(await deps.catalogue.read(), request);
  // The kept catalogue is some seconds old; what it refuses is looked at once more with a new one.
  const isDoubtful = first.verdict === null || first.verdict.refusal !== null;
  return isDoubtful && request.body.kind === 'read'
    ? decideBy(await deps.catalogue.read({ fresh: true }), request)
    : first;
}

function decideBy(
  catalogue: AssetCatalogue,
  request: WithdrawalRequest,
): { reading: Reading; verdict: Verdict | null } {
  const { body } = request;
  const reading: Reading = body.kind === 'read' ? readWithdrawalRequest(body.wire, catalogue) : body;
  return { reading, verdict: reading.kind === 'read' ? decideWithdrawalRequest(reading.request, catalogue) : null };
}

async function refuseUnlessKnown(
  deps: { db: Db },
  request: WithdrawalRequest,
  refusal: Refusal,
  asked: Asked,
): Promise<RequestAnswer> {
  const [row] = await deps.db.query<WithdrawalRow & { now: Date }>(findWithdrawalByKeySql, [request.idempotencyKey]);
  if (row !== undefined) return answerKnownKey(row, asked, request.customerId);
  return { kind: 'refused', refusal, withdrawalId: null };
}

function toUnreadable(refusal: Refusal): Asked {
  return { kind: 'unreadable', fields: refusal.fields ?? [] };
}

async function accept(
  deps: { db: Db; accept?: Accept },
  request: WithdrawalRequest,
  read: ReadRequest,
  verdict: Verdict & { kind: 'to_database' },
  confirmation: (Confirmation & { kind: 'proved' }) | null,
): Promise<AcceptedRow> {
  const { meaning } = read;
  const call: AcceptanceCall = {
    id: request.withdrawalId,
    key: request.idempotencyKey,
    customer: request.customerId,
    asset: meaning.asset,
    network: meaning.network,
    address: meaning.address,
    memo: meaning.memo,
    amount: verdict.fee.amountMinor.toString(),
    fee: verdict.fee.feeMinor.toString(),
    fee_mode: meaning.feeMode,
    refusal: verdict.refusal?.code ?? null,
    // Reasons, and not a yes or no, say whether a person must look.
    needs_approval: false,
    look_alike_of: request.lookAlikeOf,
    clicked_at: request.clickedAt,
    refused_daily_max: REFUSED_DAILY_MAX,
    value: verdict.valueReferenceMinor?.toString() ?? null,
    reasons: verdict.reasons,
    totp_step: confirmation?.proof.kind === 'totp' ? confirmation.proof.step : null,
    challenge: confirmation?.proof.kind === 'passkey' ? confirmation.proof.challengeId : null,
    fingerprint: confirmation?.fingerprint ?? null,
  };
  return deps.accept === undefined ? await acceptAlone(deps, call) : await deps.accept(call);
}

function answer(row: AcceptedRow, asked: Asked, customerId: string): RequestAnswer {
  if (row.outcome === 'no_customer') return { kind: 'no_customer' };
  if (row.outcome === 'refused_too_often') {
    return { kind: 'refused', refusal: refuse('refused_too_often'), withdrawalId: null };
  }
  if (row.outcome === 'step_up_required') {
    return { kind: 'refused', refusal: refuse('step_up_required'), withdrawalId: null };
  }
  if (row.outcome === 'existing') return answerKnownKey(row, asked, customerId);
  const withdrawal = toWithdrawal(row);
  if (withdrawal.refusalCode !== null) return answerStoredRefusal(withdrawal, withdrawal.refusalCode);
  return {
    kind: 'accepted',
    outboxId: row.outbox_id === null ? null : BigInt(row.outbox_id),
    withdrawal,
    now: row.now,
  };
}
