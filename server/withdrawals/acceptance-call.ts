import type { WithdrawalRow } from '#server/withdrawals/withdrawal-row.ts';

/** What the accepting call is given, under the names that `request_withdrawals` reads. Amounts are minor units as text. */
export interface AcceptanceCall {
  readonly id: string;
  readonly key: string;
  readonly customer: string;
  readonly asset: string;
  readonly network: string;
  readonly address: string;
  readonly memo: string | null;
  readonly amount: string;
  readonly fee: string;
  readonly fee_mode: string;
  /** Refused before the database was asked, and to be kept under the key. */
  readonly refusal: string | null;
  readonly needs_approval: boolean;
  readonly look_alike_of: string | null;
  readonly clicked_at: Date | null;
  readonly refused_daily_max: number;
  readonly value: string | null;
  readonly reasons: readonly string[];
  readonly totp_step: number | null;
  readonly challenge: string | null;
  readonly fingerprint: string | null;
}

/** The row that the call made or found, and what it was. */
export interface AcceptedRow extends WithdrawalRow {
  readonly outcome: 'new' | 'existing' | 'no_customer' | 'refused_too_often' | 'step_up_required';
  readonly outbox_id: string | null;
  readonly now: Date;
}

/** Makes the accepting call, alone or together with others. @throws DatabaseError */
export type Accept = (call: AcceptanceCall) => Promise<AcceptedRow>;
