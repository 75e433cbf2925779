import { createCustodyHttpClient } from '#server/custody/custody-http-client.ts';
import type { CustodyPort } from '#server/custody/custody-port.ts';
import type { Database } from '#server/db/database.ts';
import { processDatabase } from '#server/db/process-database.ts';
import { readEnv } from '#server/env.ts';
import { type ProtocolTimes, readProtocolTimes } from '#server/protocol-times.ts';
import { createWithdrawalQueue, type WithdrawalQueue } from '#server/queue/withdrawal-queue.ts';
import { type CatalogueCache, createCatalogueCache } from '#server/withdrawals/catalogue-cache.ts';

/** The tools of this process. Each is made when it is first asked for, so a build that imports this needs no world. */
export interface Dependencies {
  readonly db: Database;
  readonly queue: WithdrawalQueue;
  readonly custody: CustodyPort;
  readonly catalogue: CatalogueCache;
  readonly times: ProtocolTimes;
  close(): Promise<void>;
}

const SLOT = Symbol.for('cryptoex.dependencies');
const holder: typeof globalThis & { [SLOT]?: Dependencies } = globalThis;

/** One set a process: bundlers copy modules, a slot on `globalThis` they do not. */
export function dependencies(): Dependencies {
  holder[SLOT] ??= createDependencies();
  return holder[SLOT];
}

function createDependencies(): Dependencies {
  let queue: WithdrawalQueue | undefined;
  let custody: CustodyPort | undefined;
  let catalogue: CatalogueCache | undefined;
  let times: ProtocolTimes | undefined;
  const readTimes = () => {
    times ??= readProtocolTimes(readEnv().protocolTimes);
    return times;
  };
  return {
    get db() {
      return processDatabase();
    },
    get queue() {
      queue ??= createWithdrawalQueue({ redisUrl: readEnv().redisUrl, deadlineMs: readTimes().redisDeadlineMs });
      return queue;
    },
    get custody() {
      const { custodyUrl: url, custodyApiKey: apiKey } = readEnv();
      custody ??= createCustodyHttpClient({ url, apiKey, timeoutMs: readTimes().custodyTimeoutMs });
      return custody;
    },
    get catalogue() {
      catalogue ??= createCatalogueCache({ db: processDatabase() });
      return catalogue;
    },
    get times() {
      return readTimes();
    },
    close: async () => {
      custody?.close();
      await queue?.close();
      await processDatabase().close();
    },
  };
}
