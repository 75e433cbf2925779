import type { CustodyCapabilities } from '#domain/custody-capabilities.ts';
import type { CustodySite, FoundTransfer } from '#domain/custody-evidence.ts';
import type { CustodyAnswerContract, CustodyExchange } from '#domain/custody-outcome.ts';

/** A transaction that custody signed for a transfer. A replacement is another one of the same transfer. */
export interface CustodyTransaction {
  readonly hash: string;
  readonly nonce: bigint | null;
  readonly status: string;
}

/** A transfer as custody shows it in a look-up or an event, its shape checked. */
export interface CustodyTransfer extends FoundTransfer {
  /** When custody made it, by custody's own clock, in milliseconds since 1970; null where it does not tell. */
  readonly createdAtMs: number | null;
  readonly transactions: readonly CustodyTransaction[];
}

/** The bytes of one send, made once at the claim and repeated as they are. */
export interface TransferRequest {
  readonly body: Buffer;
  readonly bodySha256: string;
}

export interface TransferMeaning {
  readonly reference: string;
  readonly asset: string;
  readonly network: string;
  readonly address: string;
  readonly memo: string | null;
  /** Whole units as decimal text. */
  readonly amount: string;
  readonly notAfter: Date;
}

/** What a look-up said, and custody's own clock when it said so. */
export type CustodyLookUp = {
  /**
   * From the `Date` of an answer, in milliseconds since 1970; null where there was none. Of a search it is the search's own
   * answer, written after custody looked; of a walk it is one that was given before the walk began.
   */
  readonly custodyClockMs: number | null;
} & (
  | { readonly kind: 'found'; readonly transfers: readonly CustodyTransfer[] }
  | { readonly kind: 'not_found' }
  | { readonly kind: 'failed'; readonly reason: string }
);

export type CustodyPage =
  | { readonly kind: 'page'; readonly transfers: readonly CustodyTransfer[]; readonly nextCursor: string | null }
  | { readonly kind: 'failed'; readonly reason: string };

export interface CustodyBalance {
  readonly asset: string;
  readonly network: string;
  /** The hot wallet's; null where the provider names none. */
  readonly address: string | null;
  /** Whole units as decimal text, less what is promised already. */
  readonly available: string;
}

/** A custody provider as the rest of the house sees it: one deed, a few questions, and what it declares of itself. */
export interface CustodyPort {
  /** The provider and our account there. Written on every attempt; no other site ever gets a resend. */
  readonly site: CustodySite;
  readonly answerContract: CustodyAnswerContract;
  /** What the provider declares; null when it could not be asked. */
  capabilities(): Promise<CustodyCapabilities | null>;
  writeRequest(meaning: TransferMeaning): TransferRequest;
  /** Sends the bytes once: no retry, no redirect. Never throws for what the network or the provider does. */
  createTransfer(input: { readonly key: string; readonly body: Buffer }): Promise<CustodyExchange>;
  findByReference(reference: string): Promise<CustodyLookUp>;
  /** Every transfer created in the span, or `failed` when one page of it could not be read. */
  walkTransfers(span: { readonly fromMs: number; readonly toMs: number }): Promise<CustodyLookUp>;
  /** One page of that walk, so that a walk of any length holds one page. */
  listTransfers(input: {
    readonly fromMs: number;
    readonly toMs: number;
    readonly cursor: string | null;
  }): Promise<CustodyPage>;
  /** What the hot wallets can still pay; null when they could not be asked. */
  balances(): Promise<readonly CustodyBalance[] | null>;
  /** Reads a transfer out of an event's parsed body; null when it is none. */
  readTransfer(value: unknown): CustodyTransfer | null;
  close(): void;
}
