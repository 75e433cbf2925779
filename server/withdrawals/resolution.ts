import type { CustodyPort } from '#server/custody/custody-port.ts';
import type { Database } from '#server/db/database.ts';
import type { ProtocolTimes } from '#server/protocol-times.ts';
import type { DispatchRow } from '#server/withdrawals/find-dispatch-row.ts';

export interface ResolverDeps {
  readonly db: Database;
  readonly custody: CustodyPort;
  readonly times: ProtocolTimes;
}

/** A row under the fence that this resolution took. */
export interface HeldDoubt {
  readonly row: DispatchRow;
  readonly fence: bigint;
  /** The attempt row of the look-up. */
  readonly lookUp: number;
}

export type ResolveResult =
  | { readonly kind: 'found' | 'refused' | 'back_to_queue' | 'resent' | 'waiting' | 'parked' | 'stopped' }
  /** It is not this row's time, or somebody else took it. */
  | { readonly kind: 'nothing_to_do' };
