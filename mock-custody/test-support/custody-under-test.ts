import { runCustody } from '../run-custody.ts';
import { API_KEY, type CustodyClient, openCustodyClient } from './custody-client.ts';
import { findFreePort } from './free-port.ts';
import { openTestChain, type TestChain } from './test-chain.ts';
import { openTestDatabase, type TestDatabase } from './test-postgres.ts';
import { waitUntil } from './wait-until.ts';
import { openWebhookReceiver, type WebhookReceiver } from './webhook-receiver.ts';

export const WEBHOOK_SECRET = 'whsec_dGVzdC1zZWNyZXQtb2YtdGhlLWV4Y2hhbmdl';

export type CustodyWorld = {
  database: TestDatabase;
  chain: TestChain;
  receiver: WebhookReceiver;
  env: Record<string, string>;
  baseUrl: string;
};

/** Everything a provider needs around it, and the settings to start one with. */
export async function openCustodyWorld(input: {
  privateChain: boolean;
}): Promise<CustodyWorld & { close: () => Promise<void> }> {
  const [database, chain, receiver, port] = await Promise.all([
    openTestDatabase(),
    openTestChain({ private: input.privateChain }),
    openWebhookReceiver(),
    findFreePort(),
  ]);
  const env = {
    CUSTODY_PORT: String(port),
    CUSTODY_DATABASE_URL: database.url,
    CHAIN_RPC_URL: chain.rpcUrl,
    CUSTODY_API_KEY: API_KEY,
    CUSTODY_WEBHOOK_URL: receiver.url,
    CUSTODY_WEBHOOK_SECRET: WEBHOOK_SECRET,
    CUSTODY_HOT_WALLET_KEY: chain.hotWallet.key,
    USDC_CONTRACT: chain.tokens.usdc,
    USDT_CONTRACT: chain.tokens.usdt,
    CUSTODY_WEBHOOK_FIRST_RETRY_MS: '50',
    CUSTODY_SIM_BLOCK_MS: '50',
  };
  return {
    database,
    chain,
    receiver,
    env,
    baseUrl: `http://127.0.0.1:${port}`,
    async close() {
      await receiver.close();
      await database.close();
      await chain.close();
    },
  };
}

export type CustodyUnderTest = CustodyWorld & {
  client: CustodyClient;
  operations: readonly string[];
  close: () => Promise<void>;
};

/** A provider running in this process, ready to be asked. */
export async function startCustodyUnderTest(
  input: { privateChain?: boolean; env?: Record<string, string> } = {},
): Promise<CustodyUnderTest> {
  const world = await openCustodyWorld({ privateChain: input.privateChain ?? false });
  const custody = await runCustody({ log: () => undefined }, { ...world.env, ...input.env });
  const client = openCustodyClient(world.baseUrl);
  await waitUntil('the provider is ready', async () => (await client.get('/health/ready')).status === 200);
  return {
    ...world,
    client,
    operations: custody.operations,
    async close() {
      await custody.stop();
      await world.close();
    },
  };
}
