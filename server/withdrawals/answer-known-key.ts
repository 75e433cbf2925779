import { type MeaningField, type RequestMeaning, sameMeaning } from '#domain/idempotency-key.ts';
import { type Refusal, refuse } from '#domain/refusal.ts';
import { requestedMinorOf } from '#domain/withdrawal-fee.ts';
import { isGivenUp, toWithdrawal, type Withdrawal, type WithdrawalRow } from '#server/withdrawals/withdrawal-row.ts';

/** The withdrawal as it stands now, and the protocol's clock at that moment. */
export interface SeenWithdrawal {
  readonly withdrawal: Withdrawal;
  readonly now: Date;
}

export type KnownKeyAnswer =
  | ({ readonly kind: 'replayed' } & SeenWithdrawal)
  | { readonly kind: 'refused'; readonly refusal: Refusal; readonly withdrawalId: string | null };

/** What the request that came under this key says: its meaning, or the fields that could not be read. */
export type Asked =
  | { readonly kind: 'meaning'; readonly meaning: RequestMeaning }
  | { readonly kind: 'unreadable'; readonly fields: readonly string[] };

/**
 * The answer to a request whose key is known. Its owner gets the current state, or the fields that differ; a stranger
 * gets the same refusal with nothing in it. A request that cannot be read cannot mean the same.
 */
export function answerKnownKey(
  row: WithdrawalRow & { readonly now: Date },
  asked: Asked,
  customerId: string,
): KnownKeyAnswer {
  if (row.customer_id !== customerId) {
    return { kind: 'refused', refusal: refuse('idempotency_key_reused'), withdrawalId: null };
  }
  if (isGivenUp(row)) return { kind: 'refused', refusal: refuse('given_up'), withdrawalId: row.id };
  const withdrawal = toWithdrawal(row);
  const fields = differingFields(withdrawal, asked);
  if (fields.length > 0) {
    return { kind: 'refused', refusal: refuse('idempotency_key_reused', { fields }), withdrawalId: row.id };
  }
  if (withdrawal.refusalCode !== null) return answerStoredRefusal(withdrawal, withdrawal.refusalCode);
  return { kind: 'replayed', withdrawal, now: row.now };
}

/** A refusal that is kept under its key, for the first time or again. A look-alike names the withdrawal it resembles. */
export function answerStoredRefusal(
  withdrawal: Withdrawal,
  code: NonNullable<Withdrawal['refusalCode']>,
): KnownKeyAnswer & { kind: 'refused' } {
  const withdrawalId = code === 'look_alike' ? withdrawal.lookAlikeOf : withdrawal.withdrawalId;
  return { kind: 'refused', refusal: refuse(code), withdrawalId };
}

function differingFields(withdrawal: Withdrawal, asked: Asked): readonly string[] {
  if (asked.kind === 'unreadable') return asked.fields.length > 0 ? asked.fields : ['body'];
  const stored: RequestMeaning = {
    asset: withdrawal.assetId,
    network: withdrawal.networkId,
    address: withdrawal.address,
    memo: withdrawal.memo,
    amountMinor: requestedMinorOf(withdrawal),
    feeMode: withdrawal.feeMode,
  };
  const compared = sameMeaning(stored, asked.meaning);
  return compared.same ? [] : compared.fields.map((field) => WIRE_NAMES[field]);
}

/** The names under which a request carries what it means. */
const WIRE_NAMES: Readonly<Record<MeaningField, string>> = {
  asset: 'asset',
  network: 'network',
  address: 'address',
  memo: 'memo',
  amountMinor: 'amount',
  feeMode: 'feeMode',
};
