import type { ExpectedTransfer } from '#domain/custody-transfer.ts';
import type { CustodyPort, TransferMeaning } from '#server/custody/custody-port.ts';

/** What may happen to one request: to its connection, its execution or its answer. */
export type Trouble =
  | { readonly kind: 'close_before_reading' | 'execute_then_drop' | 'body_stalls' | 'html_200' | 'truncated_json' }
  | { readonly kind: 'odd_echo' | 'rate_limit' | 'unauthorized' | 'forbidden' | 'refuse_503' | 'insufficient_funds' }
  | { readonly kind: 'slow' | 'execute_late' | 'lookup_slow' | 'edge_repeats'; readonly delayMs: number }
  | { readonly kind: 'error_before' | 'error_after'; readonly status: 500 | 502 | 504 }
  | { readonly kind: 'reject'; readonly code: string }
  | { readonly kind: 'lookup_error' };

/** One request as we mean it, and as an answer to it must echo it. */
export interface Payment {
  readonly meaning: TransferMeaning;
  readonly expected: ExpectedTransfer;
}

/**
 * A provider in its laboratory, and our adapter for it. Whoever writes an adapter writes one of these, and the contract tells
 * whether the house is safe behind it.
 */
export interface ProviderUnderContract {
  /** The adapter, speaking to that address with that deadline; to the provider where no address is given. */
  connect(options: { readonly url?: string; readonly timeoutMs: number }): CustodyPort;
  /** A request that the provider would pay, under a reference nobody has used. */
  payment(changes?: Partial<Pick<TransferMeaning, 'reference' | 'amount' | 'notAfter'>>): Payment;
  /** The same with an address that the provider never pays to. */
  unpayable(reference?: string): Payment;
  /** Lets one trouble befall the next request about this reference, and no other. */
  strike(trouble: Trouble, reference: string): Promise<void>;
  /** How many transfers the provider's own books hold under the reference; refusals are none. */
  made(reference: string): Promise<number>;
  /** How many requests to create reached the provider under the reference, body and all. */
  seen(reference: string): Promise<number>;
  /** Sets the provider's clock so much ahead of the true one. */
  setClock(offsetMs: number): Promise<void>;
  close(): Promise<void>;
}
