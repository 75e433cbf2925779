import { type ChildProcess, spawn } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { createCustodyHttpClient } from '#server/custody/custody-http-client.ts';
import type { CustodyPort } from '#server/custody/custody-port.ts';
import type { ProviderUnderContract } from '#server/custody/test-support/provider-under-contract.ts';
import { createTestDatabase } from '#server/db/test-database.ts';
import { findFreePort } from '#stack/state-folder.ts';
import { waitUntil } from '#stack/wait-until.ts';

const API_KEY = 'key-of-the-contract';
const SECRET = `whsec_${Buffer.alloc(32, 3).toString('base64')}`;
const NOT_AFTER_MS = 600_000;

/** The mock provider as it is, a process of its own with a database of its own; it can become each of its profiles. */
export interface MockProvider {
  readonly url: string;
  /** A client of it, as the product has one. */
  connect(options: { timeoutMs: number }): CustodyPort;
  /** Lets one of its switches strike the transfer of this reference. */
  strike(kind: string, reference: string): Promise<void>;
  become(profile: string, overrides?: object): Promise<ProviderUnderContract>;
  /** Its signed word that nothing was made under the reference and nothing will be. */
  askStatement(reference: string): Promise<{ body: string; signature: string; publicKey: string }>;
  stop(): Promise<void>;
}

/** Pays XRP on its simulated ledger, so that no chain is needed and a memo is part of what is paid. */
export async function startMockProvider(settings: Readonly<Record<string, string>> = {}): Promise<MockProvider> {
  const database = await createTestDatabase({ migrate: null });
  const url = `http://127.0.0.1:${await findFreePort()}`;
  const main = fileURLToPath(new URL('../../../mock-custody/main.ts', import.meta.url));
  const child: ChildProcess = spawn(process.execPath, ['--import', 'tsx', main], {
    stdio: 'ignore',
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      NODE_ENV: 'test',
      CUSTODY_PORT: new URL(url).port,
      CUSTODY_DATABASE_URL: database.url,
      // Nobody listens there: Ethereum stays unconnected, which is no concern of the other networks.
      CHAIN_RPC_URL: 'http://127.0.0.1:9',
      CUSTODY_API_KEY: API_KEY,
      CUSTODY_WEBHOOK_SECRET: SECRET,
      CUSTODY_HOT_WALLET_KEY: `0x${'11'.repeat(32)}`,
      USDC_CONTRACT: `0x${'c0'.repeat(20)}`,
      USDT_CONTRACT: `0x${'c1'.repeat(20)}`,
      ...settings,
    },
  });
  const control = async (method: string, path: string, order?: object) => {
    const body = order === undefined ? {} : { body: JSON.stringify(order) };
    const response = await fetch(`${url}/control${path}`, { method, ...body });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as { data: readonly { seq: number; kind: string; externalId: string | null }[] };
  };
  await untilUp(url, child);

  // Asked by many at once, so an entry may come twice and is kept under its number.
  const follow = (path: string) => {
    const entries = new Map<number, { kind?: string; externalId: string | null }>();
    return async (reference: string) => {
      const { data } = await control('GET', `/${path}?after=${Math.max(0, ...entries.keys())}`);
      for (const entry of data) entries.set(entry.seq, entry);
      return [...entries.values()].filter(({ externalId }) => externalId === reference);
    };
  };
  const readLog = follow('log');
  const readRequests = follow('requests');

  return {
    url,
    connect: (options) => createCustodyHttpClient({ url, apiKey: API_KEY, ...options }),
    async strike(kind, reference) {
      await control('POST', '/faults', { kind, externalId: reference, count: 1 });
    },
    async become(profile, overrides = {}) {
      await control('DELETE', '/faults');
      await control('PUT', '/profile', { profile, overrides });
      return {
        connect: (options) => createCustodyHttpClient({ url, apiKey: API_KEY, ...options }),
        payment: (changes) => toPayment('rN7n7otQDd6FczFgLdSqtcsAUxDkw6fzRH', changes),
        unpayable: (reference) => toPayment('nowhere', reference === undefined ? {} : { reference }),
        strike: async ({ kind, ...settings }, reference) => {
          await control('POST', '/faults', { kind, ...settings, externalId: reference, count: 1 });
        },
        made: async (reference) => (await readLog(reference)).filter(({ kind }) => kind === 'created').length,
        seen: async (reference) => (await readRequests(reference)).length,
        setClock: async (offsetMs) => {
          await control('POST', '/clock', { offsetMs });
        },
        close: () => Promise.resolve(),
      };
    },
    async askStatement(reference) {
      const answer = await fetch(`${url}/v1/statements`, {
        method: 'POST',
        headers: { authorization: `Bearer ${API_KEY}` },
        body: JSON.stringify({ externalId: reference }),
      });
      return (await answer.json()) as { body: string; signature: string; publicKey: string };
    },
    async stop() {
      child.kill('SIGTERM');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
      await database.close();
    },
  };
}

function toPayment(address: string, changes: { reference?: string; amount?: string; notAfter?: Date } = {}) {
  const { reference = randomUUID(), amount = '1.5', notAfter = new Date(Date.now() + NOT_AFTER_MS) } = changes;
  const shared = { reference, asset: 'XRP', network: 'xrp', address, memo: memoOf(reference) };
  const decimals = 6;
  return {
    meaning: { ...shared, amount, notAfter },
    expected: { ...shared, amountMinor: BigInt(Number(amount) * 10 ** decimals), decimals },
  };
}

/** Another destination tag for another reference, so that no answer fits by accident. */
function memoOf(reference: string): string {
  return String(createHash('sha256').update(reference).digest().readUInt32BE(0));
}

async function untilUp(url: string, child: ChildProcess): Promise<void> {
  const headers = { authorization: `Bearer ${API_KEY}` };
  const isUp = async () => {
    if (child.exitCode !== null) throw new Error('the provider ended before it was up');
    const answer = await fetch(`${url}/v1/balances`, { headers }).catch(() => null);
    return answer?.ok === true && /"XRP"[^}]*"available":"[1-9]/.test(await answer.text());
  };
  await waitUntil(isUp, { what: 'the provider was not up', withinMs: 30_000 });
}
