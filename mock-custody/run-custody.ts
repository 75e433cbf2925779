import { createCreateQueue } from './create-queue.ts';
import { createTransfer } from './create-transfer.ts';
import { readCustodyEnv } from './custody-env.ts';
import { loadSettings } from './custody-settings.ts';
import { loadFaultSwitches } from './fault-switches.ts';
import { strikeAtOnce } from './faults/strike-at-once.ts';
import { createHotWalletFunds } from './hot-wallet-funds.ts';
import { controlRoutes } from './http/control-routes.ts';
import { createTransferRoute } from './http/create-route.ts';
import { createCustodyServer } from './http/custody-server.ts';
import { openRoutes } from './http/open-routes.ts';
import { simulatedRoutes } from './http/simulated-routes.ts';
import { statementRoute } from './http/statement-route.ts';
import { transferRoutes } from './http/transfer-routes.ts';
import { treasuryRoutes } from './http/treasury-routes.ts';
import { type Listener, listen } from './listener.ts';
import { startMemoryKeeper } from './memory-keeper.ts';
import { openNetworks } from './open-networks.ts';
import { replaceTransaction } from './replace-transaction.ts';
import { createRequestJournal } from './request-journal.ts';
import { startSimulatedMiners } from './simulated-miners.ts';
import { loadStatementKey } from './statement-key.ts';
import { burnKey } from './store/burn-key.ts';
import { applySchema, openDatabase } from './store/custody-database.ts';
import { startTransferEngine } from './transfer-engine.ts';
import { startWebhookSender } from './webhook-sender.ts';

export type RunningCustody = {
  port: number;
  /** By which our signed statements are verified: SPKI in base64. */
  statementKey: string;
  /** Every operation that is answered, as "GET /v1/transfers/{id}". */
  operations: readonly string[];
  stop(): Promise<void>;
};

/** Builds the provider from its settings and serves until `stop`: no new requests, the running ones answered, then out. */
export async function runCustody(
  deps: { log: (event: string, fields: object) => void },
  source: Record<string, string | undefined>,
): Promise<RunningCustody> {
  const { log } = deps;
  const env = readCustodyEnv(source);
  const database = openDatabase(env.CUSTODY_DATABASE_URL);
  await applySchema(database);
  const settings = await loadSettings(
    { database },
    {
      profile: env.CUSTODY_PROFILE,
      keyWindowSeconds: env.CUSTODY_KEY_WINDOW_SECONDS,
      webhookSecrets: env.CUSTODY_WEBHOOK_SECRET.split(' '),
    },
  );
  const statementKey = await loadStatementKey({ database }, { given: env.CUSTODY_STATEMENT_KEY });
  const faults = await loadFaultSwitches({ database });
  const requests = createRequestJournal({ database });
  const funds = createHotWalletFunds({ database, settings });
  const { networks, ledgers } = openNetworks({ database }, env);

  const webhooks = startWebhookSender(
    { database, settings, faults, log },
    { url: env.CUSTODY_WEBHOOK_URL, firstRetryMs: env.CUSTODY_WEBHOOK_FIRST_RETRY_MS },
  );
  const miners = startSimulatedMiners(
    { log },
    { ledgers: ledgers.values(), blockMs: env.CUSTODY_SIM_BLOCK_MS, onBlock: () => engine.nudgeWatch() },
  );
  const engine = startTransferEngine(
    { database, faults, funds, log },
    {
      networks,
      finalityBlocks: env.CUSTODY_FINALITY_BLOCKS,
      onEvent: webhooks.nudge,
      onBroadcast: miners.nudge,
    },
  );
  const memory = startMemoryKeeper(
    { database, settings, log },
    {
      onRejoined: () => {
        engine.nudgeAll();
        webhooks.nudge();
      },
    },
  );

  const queue = createCreateQueue({ database, settings });
  const door = {
    create: (input: Parameters<typeof createTransfer>[1]) =>
      createTransfer({ queue, funds, settings, networks }, input),
    burnKey: (input: Parameters<typeof burnKey>[1]) => burnKey({ database }, input),
    acceptedEventDelivered: webhooks.wasDelivered,
  };
  let listener: Listener | undefined;
  const served = [
    createTransferRoute(
      { door, faults, settings, requests, log },
      {
        onCreated: (network) => {
          engine.nudge(network);
          webhooks.nudge();
        },
      },
    ),
    ...transferRoutes({ database, settings, faults, funds }, { maxRequestMs: env.CUSTODY_MAX_REQUEST_MS, networks }),
    statementRoute({ database, settings, key: statementKey }),
    ...controlRoutes(
      { database, settings, faults, requests },
      {
        strikeAtOnce: (order) =>
          strikeAtOnce(
            {
              database,
              settings,
              faults,
              refuseConnections: (forMs) => listener?.refuse(forMs),
              memoryLost: memory.nudge,
              networks,
              funds,
            },
            order,
          ),
      },
    ),
    ...treasuryRoutes(
      { settings, funds },
      {
        redeliver: webhooks.redeliver,
        replace: async (transferId) => {
          const replaced = await replaceTransaction({ database, networks }, { transferId });
          engine.nudgeAll();
          return replaced;
        },
      },
    ),
    ...simulatedRoutes(
      { database },
      {
        ledgers,
        onMined: () => {
          miners.nudge();
          engine.nudgeWatch();
        },
      },
    ),
  ];
  const routes = [
    ...served,
    ...openRoutes({ database }, { isReady: () => networks.every(({ name }) => funds.known(name)), others: served }),
  ];
  const server = createCustodyServer({ settings, faults, log }, { apiKey: env.CUSTODY_API_KEY, routes });
  listener = await listen(server, { port: env.CUSTODY_PORT, host: env.CUSTODY_HOST });

  return {
    port: env.CUSTODY_PORT,
    statementKey: statementKey.publicText,
    operations: routes.map(({ method, path }) => `${method} ${path}`),
    async stop() {
      await listener?.stop();
      await Promise.all([memory.stop(), engine.stop(), miners.stop(), webhooks.stop()]);
      await requests.flush();
      await database.end();
    },
  };
}
