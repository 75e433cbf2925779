import type { ChainPort } from '#server/chain/chain-port.ts';
import type { StatementKey } from '#server/custody/read-custody-statement.ts';
import type { FaultLab } from '#server/operator/fault-lab.ts';
import type { WithdrawalQueue } from '#server/queue/withdrawal-queue.ts';

/** A network that we read ourselves, and its node. */
export interface ReadChain {
  readonly networkId: string;
  readonly port: Pick<ChainPort, 'header' | 'transaction'>;
}

/** What the operators' room needs beside the database. */
export interface RoomTools {
  /** For counting what waits in Redis; null where there is none. */
  readonly queue: WithdrawalQueue | null;
  /** Whether custody answers now; asked at most every few seconds. */
  readonly custodyAnswers: () => Promise<boolean>;
  /** By which custody's statements are verified; absent or empty where custody has named none, and none can be attached. */
  readonly statementKeys?: readonly StatementKey[];
  /** The networks that we read ourselves, for asking their nodes; absent or empty where no address of one is given. */
  readonly chains?: readonly ReadChain[];
  /** Breaks things on purpose; null outside demo mode, and then there is no such page. */
  readonly lab: FaultLab | null;
}
