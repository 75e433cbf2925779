import type { Site } from '#server/auth/check-step-up.ts';
import type { Session } from '#server/auth/session.ts';
import type { CustodyPort } from '#server/custody/custody-port.ts';
import type { Database } from '#server/db/database.ts';
import type { RoomTools } from '#server/operator/room-tools.ts';
import type { Accept } from '#server/withdrawals/acceptance-call.ts';
import type { CatalogueCache } from '#server/withdrawals/catalogue-cache.ts';

/** The tools of the API: built once a process by whoever opens the door. */
export interface ApiTools {
  readonly db: Database;
  readonly catalogue: CatalogueCache;
  /** For showing what custody itself lists; null where there is none. */
  readonly custody: Pick<CustodyPort, 'findByReference'> | null;
  /** Lets so few requests of one customer at a time through to the database. */
  readonly gate: CustomerGate;
  /** The same for requests for withdrawals where `accept` gathers them; absent where `gate` is for them too. */
  readonly requestGate?: CustomerGate;
  /** Accepts requests that come together in one transaction; absent where each is accepted alone. */
  readonly accept?: Accept;
  /** Whether this is the demo, which has a mailbox of its own. */
  readonly demoMode?: boolean;
  /** What only the operators' pages ask for; absent where nobody shows them. */
  readonly room?: RoomTools;
  /** Whether one more request of this customer is within the limit; absent for no limit. */
  readonly requestLimit?: (customerId: string) => boolean;
  /** Sends a committed outbox row on its way to the queue, without anybody waiting for it. */
  readonly relay: (outboxId: bigint) => void;
}

/** Runs `work` when it is this customer's turn; `rate_limited` when too many already wait. */
export interface CustomerGate {
  run<Result>(customerId: string, work: () => Promise<Result>): Promise<Result>;
}

/** One call. */
export interface ApiContext {
  readonly tools: ApiTools;
  readonly requestId: string;
  readonly site: Site;
  /** The token in the caller's cookie, its signature checked; null where there is none. */
  readonly sessionToken: string | null;
  /** The `Idempotency-Key` header as it came. */
  readonly keyHeader: string | readonly string[] | undefined;
  /** Who asks; null when nobody is signed in. Throws when that cannot be found out. */
  readonly findSession: () => Promise<Session | null>;
}
