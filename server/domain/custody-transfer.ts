import { canonicalChainText } from '#domain/chain-text.ts';
import { parseShownAmount } from '#domain/money.ts';

/** What we asked custody for, as the row holds it. */
export interface ExpectedTransfer {
  /** The idempotency key, which is the external reference too. */
  readonly reference: string;
  readonly asset: string;
  readonly network: string;
  /** In canonical form. */
  readonly address: string;
  readonly memo: string | null;
  readonly amountMinor: bigint;
  /** The asset's decimals, for reading the amount that custody writes in whole units. */
  readonly decimals: number;
}

/** A transfer as custody shows it, its shape checked and its content not yet compared. */
export interface ShownTransfer {
  readonly id: string;
  readonly externalId: string;
  readonly asset: string;
  readonly network: string;
  readonly address: string;
  readonly memo: string | null;
  /** Text in whole units. Custody may write 1.50 where we wrote 1.5. */
  readonly amount: string;
  readonly status: string;
}

export type TransferField = 'reference' | 'asset' | 'network' | 'address' | 'memo' | 'amount';

/** The fields in which the shown transfer is not the one we asked for. Amounts are compared as numbers, exactly. */
export function differingFields(expected: ExpectedTransfer, shown: ShownTransfer): readonly TransferField[] {
  const amount = parseShownAmount(shown.amount, expected.decimals);
  const equal: Readonly<Record<TransferField, boolean>> = {
    reference: shown.externalId === expected.reference,
    asset: shown.asset === expected.asset,
    network: shown.network === expected.network,
    address: sameAddressText(shown.address, expected.address),
    memo: shown.memo === expected.memo,
    amount: amount.kind === 'ok' && amount.minor === expected.amountMinor,
  };
  const fields: readonly TransferField[] = ['reference', 'asset', 'network', 'address', 'memo', 'amount'];
  return fields.filter((field) => !equal[field]);
}

/**
 * Reads a transfer out of a parsed JSON value, or null where anything has another shape. An amount written as a bare JSON
 * number is refused: the reader has already rounded it.
 */
export function readShownTransfer(value: unknown): ShownTransfer | null {
  if (!isRecord(value)) return null;
  const { id, externalId, asset, network, address, amount, status } = value;
  const memo = value.memo ?? null;
  if (typeof id !== 'string' || id === '' || typeof externalId !== 'string') return null;
  if (typeof asset !== 'string' || typeof network !== 'string' || typeof address !== 'string') return null;
  if (typeof amount !== 'string' || typeof status !== 'string') return null;
  if (memo !== null && typeof memo !== 'string') return null;
  return { id, externalId, asset, network, address, memo, amount, status };
}

/** Whether a parsed JSON value is an object with named fields. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function sameAddressText(shown: string, expected: string): boolean {
  return canonicalChainText(shown) === canonicalChainText(expected);
}
