/** What our own reader of a network says about one transaction that custody signed. */
export interface TransactionSight {
  /** Null where we read this network through custody only: then nothing is ever proved dead. */
  readonly reader: { readonly halted: boolean; readonly behind: boolean } | null;
  /** Its receipt in a final block. */
  readonly finalReceipt: 'succeeded' | 'failed' | null;
  /** Another transaction in a final block that spent its nonce or one of its inputs. */
  readonly replacedByFinalHash: string | null;
  /** The last block (Solana) or ledger (XRP) in which it could be included; null where it never expires. */
  readonly lastValidNumber: number | null;
  /** The newest final block or ledger. */
  readonly finalNumber: number;
}

export type DeadVerdict =
  | { readonly dead: true; readonly reason: 'failed_in_final_block' | 'replaced_in_final_block' | 'expired' }
  | {
      readonly dead: false;
      readonly reason: 'no_reader' | 'reader_halted' | 'reader_behind' | 'succeeded' | 'may_still_come';
    };

/** Whether a signed transaction can never take effect any more. Not seen is not dead. */
export function isDead(sight: TransactionSight): DeadVerdict {
  if (sight.reader === null) return { dead: false, reason: 'no_reader' };
  if (sight.reader.halted) return { dead: false, reason: 'reader_halted' };
  if (sight.reader.behind) return { dead: false, reason: 'reader_behind' };
  if (sight.finalReceipt === 'succeeded') return { dead: false, reason: 'succeeded' };
  if (sight.finalReceipt === 'failed') return { dead: true, reason: 'failed_in_final_block' };
  if (sight.replacedByFinalHash !== null) return { dead: true, reason: 'replaced_in_final_block' };
  if (sight.lastValidNumber !== null && sight.finalNumber > sight.lastValidNumber)
    return { dead: true, reason: 'expired' };
  return { dead: false, reason: 'may_still_come' };
}

/** A transfer of coins as a block shows it. Addresses and contracts in canonical form. */
export interface ChainTransfer {
  readonly transactionHash: string;
  readonly contract: string | null;
  readonly to: string;
  readonly memo: string | null;
  readonly amountMinor: bigint;
}

/** Whether this effect is the payment of this withdrawal: one of its own transactions, and equal in every respect. */
export function paysWithdrawal(
  effect: ChainTransfer,
  withdrawal: {
    readonly transactionHashes: readonly string[];
    readonly contract: string | null;
    readonly address: string;
    readonly memo: string | null;
    readonly amountMinor: bigint;
  },
): boolean {
  return (
    withdrawal.transactionHashes.includes(effect.transactionHash) &&
    effect.contract === withdrawal.contract &&
    effect.to === withdrawal.address &&
    effect.memo === withdrawal.memo &&
    effect.amountMinor === withdrawal.amountMinor
  );
}
