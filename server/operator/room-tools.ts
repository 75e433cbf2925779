import type { FaultLab } from '#server/operator/fault-lab.ts';
import type { WithdrawalQueue } from '#server/queue/withdrawal-queue.ts';

/** What the operators' room needs beside the database. */
export interface RoomTools {
  /** For counting what waits in Redis; null where there is none. */
  readonly queue: WithdrawalQueue | null;
  /** Whether custody answers now; asked at most every few seconds. */
  readonly custodyAnswers: () => Promise<boolean>;
  /** Breaks things on purpose; null outside demo mode, and then there is no such page. */
  readonly lab: FaultLab | null;
}
