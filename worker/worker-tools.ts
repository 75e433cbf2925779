import type { ReadNetwork } from '#server/chain/read-chains.ts';
import type { CustodyBreaker } from '#server/custody/custody-breaker.ts';
import type { CustodyPort } from '#server/custody/custody-port.ts';
import type { Database } from '#server/db/database.ts';
import type { ProtocolTimes } from '#server/protocol-times.ts';
import type { WithdrawalClaims } from '#server/queue/withdrawal-claim.ts';
import type { WithdrawalQueue } from '#server/queue/withdrawal-queue.ts';

/** What the parts of a worker share. Each part names what it uses of it. */
export interface WorkerTools {
  readonly db: Database;
  readonly queue: WithdrawalQueue;
  readonly claims: WithdrawalClaims;
  readonly custody: CustodyPort;
  readonly breaker: CustodyBreaker;
  readonly times: ProtocolTimes;
  /** The networks that we read ourselves; none where no address of a node is given. */
  readonly chains: readonly ReadNetwork[];
}
