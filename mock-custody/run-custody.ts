import { once } from 'node:events';
import { z } from 'zod';
import { createCreateQueue } from './create-queue.ts';
import { createTransfer } from './create-transfer.ts';
import { readCustodyEnv } from './custody-env.ts';
import { loadSettings } from './custody-settings.ts';
import { loadFaultSwitches } from './fault-switches.ts';
import { createHotWalletFunds } from './hot-wallet-funds.ts';
import { controlRoutes } from './http/control-routes.ts';
import { createTransferRoute } from './http/create-route.ts';
import { createCustodyServer } from './http/custody-server.ts';
import { answered } from './http/reply.ts';
import type { Route } from './http/route.ts';
import { transferRoutes } from './http/transfer-routes.ts';
import { openEvmNetwork } from './networks/evm-network.ts';
import { openJsonRpc } from './networks/json-rpc.ts';
import { json } from './problem.ts';
import { createRequestJournal } from './request-journal.ts';
import { applySchema, openDatabase } from './store/custody-database.ts';
import { startTransferEngine } from './transfer-engine.ts';
import { startWebhookSender } from './webhook-sender.ts';

const hexText = z.templateLiteral(['0x', z.string()]);
// The dev chain's; a provider of one chain need not ask which one it is.
const CHAIN_ID = 31_337;

export type RunningCustody = { port: number; stop(): Promise<void> };

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
  const faults = await loadFaultSwitches({ database });
  const requests = createRequestJournal({ database });
  const funds = createHotWalletFunds({ database, settings });
  const ethereum = openEvmNetwork(
    { rpc: openJsonRpc(env.CHAIN_RPC_URL) },
    {
      privateKey: hexText.parse(env.CUSTODY_HOT_WALLET_KEY),
      chainId: CHAIN_ID,
      tokens: { USDC: hexText.parse(env.USDC_CONTRACT), USDT: hexText.parse(env.USDT_CONTRACT) },
    },
  );
  const networks = [ethereum];
  const webhooks = startWebhookSender(
    { database, settings, faults, log },
    { url: env.CUSTODY_WEBHOOK_URL, firstRetryMs: env.CUSTODY_WEBHOOK_FIRST_RETRY_MS },
  );
  const engine = startTransferEngine(
    { database, faults, funds, log },
    { networks, finalityBlocks: env.CUSTODY_FINALITY_BLOCKS, onEvent: webhooks.nudge },
  );
  const queue = createCreateQueue({ database, settings });

  const create = createTransferRoute(
    {
      door: {
        create: (input) =>
          createTransfer(
            {
              queue,
              funds,
              settings,
              refreshFunds: async (asset) => {
                const network = networks.find(({ name }) => name === asset.network);
                if (network !== undefined) await funds.refresh(network).catch(() => undefined);
              },
            },
            input,
          ),
        burnKey: async (request, answer) => {
          await database.query(
            `insert into idempotency_key (key, body_hash, answer_status, answer, created_at, used_at)
             values ($1, $2, 500, $3, custody_now(), custody_now()) on conflict (key) do update set answer_status = 500, answer = excluded.answer`,
            [request.idempotencyKey, request.bodyHash, answer],
          );
        },
        acceptedEventDelivered: async (transferId) => {
          const found = await database.query(
            'select 1 from webhook_event where transfer_id = $1 and delivered_at is not null',
            [transferId],
          );
          return found.rowCount !== 0;
        },
      },
      faults,
      settings,
      requests,
      log,
    },
    {
      onCreated: (network) => {
        engine.nudge(network);
        webhooks.nudge();
      },
      closedUntilMs: () => 0,
    },
  );
  const health: Route = {
    method: 'GET',
    path: '/health/ready',
    access: 'open',
    handle: async () => {
      const ready =
        funds.known('ethereum') &&
        (await database.query('select 1').then(
          () => true,
          () => false,
        ));
      return answered(json(ready ? 200 : 503, { ready }));
    },
  };
  const routes = [
    create,
    health,
    ...transferRoutes(
      { database, settings, faults, funds },
      {
        maxRequestMs: env.CUSTODY_MAX_REQUEST_MS,
        accounts: Object.fromEntries(networks.map(({ name, account }) => [name, account])),
      },
    ),
    ...controlRoutes(
      { database, settings, faults, requests },
      { strikeAtOnce: async () => undefined, redeliver: webhooks.redeliver },
    ),
  ];
  const server = createCustodyServer({ settings, faults, log }, { apiKey: env.CUSTODY_API_KEY, routes });
  server.listen(env.CUSTODY_PORT, env.CUSTODY_HOST);
  await once(server, 'listening');

  return {
    port: env.CUSTODY_PORT,
    async stop() {
      const closed = once(server, 'close');
      server.close();
      server.closeIdleConnections();
      await closed;
      await engine.stop();
      await webhooks.stop();
      await requests.flush();
      await database.end();
    },
  };
}
