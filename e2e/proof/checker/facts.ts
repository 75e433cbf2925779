import type { CustodyLogEntry, CustodyRequest } from '../custody-control.ts';

/** A withdrawal as our database has it at the end of a run. */
export interface WithdrawalFact {
  readonly id: string;
  readonly idempotencyKey: string;
  readonly customerId: string;
  readonly status: string;
  readonly refusalCode: string | null;
  readonly asset: string | null;
  readonly address: string | null;
  readonly amountMinor: string | null;
  readonly decimals: number | null;
  readonly transferId: string | null;
  readonly transactionHash: string | null;
  readonly parkedReason: string | null;
  readonly waitReason: string | null;
  readonly openCases: number;
}

export interface HistoryFact {
  readonly withdrawalId: string;
  readonly from: string | null;
  readonly to: string;
  readonly reason: string;
  readonly evidence: Readonly<Record<string, unknown>>;
  readonly actor: string;
}

export interface AttemptFact {
  readonly withdrawalId: string;
  readonly kind: string;
  readonly outcome: string | null;
  readonly provedAbsent: boolean;
}

export interface LedgerFacts {
  /** Withdrawals with more than one of post and void, or a second hold. */
  readonly doubled: readonly string[];
  /** Withdrawals whose bookings do not fit their status. */
  readonly misfit: readonly string[];
  /** Accounts of customers whose running sum was below zero at any time. */
  readonly everNegative: readonly string[];
  /** Balances that differ from the sum of their entries. */
  readonly drifted: readonly string[];
  /** Debits less credits over all accounts, by asset; all zero. */
  readonly differenceByAsset: Readonly<Record<string, string>>;
}

/** A payment as the chain itself remembers it. */
export interface ChainPayment {
  readonly address: string;
  readonly asset: string;
  readonly amountMinor: bigint;
}

/** What a customer's own list shows. */
export interface ShownFact {
  readonly withdrawalId: string;
  readonly status: string;
  readonly amount: string;
  readonly address: string;
  readonly transactionHash: string | null;
}

/** Everything the checker judges; gathered from four books that do not know each other. */
export interface Facts {
  readonly withdrawals: readonly WithdrawalFact[];
  readonly history: readonly HistoryFact[];
  readonly attempts: readonly AttemptFact[];
  readonly ledger: LedgerFacts;
  readonly custodyLog: readonly CustodyLogEntry[];
  readonly custodyRequests: readonly CustodyRequest[];
  /** How often our own proxy repeated a request, by idempotency key. */
  readonly repeatedByProxy: ReadonlyMap<string, number>;
  /** Keys of which a restore took attempts that had been made. */
  readonly lostMemory: ReadonlySet<string>;
  readonly chain: readonly ChainPayment[];
  readonly shown: ReadonlyMap<string, readonly ShownFact[]>;
}
