import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import type { Life } from '#stack/life.mjs';
import { type Stack, startStack } from '#stack/start-stack.ts';
import { findFreePort, type Ports } from '#stack/state-folder.ts';
import { askUntilAnswered } from './ask-until-answered.ts';
import { type CustodyControl, createCustodyControl } from './custody-control.ts';
import { type FaultProxy, startFaultProxy } from './fault-proxy.ts';

export type ProxiedService = 'redis' | 'postgres' | 'custody';

/** The books that the checker compares, on any stack. */
export interface Books {
  readonly stack: Pick<Stack, 'urls' | 'env'>;
  readonly custody: CustodyControl;
  /** Asks our database past the product and past the proxy. */
  ask<Row extends pg.QueryResultRow>(text: string, values?: readonly unknown[]): Promise<Row[]>;
  askChain<Answer>(method: string, params: readonly unknown[]): Promise<Answer>;
  /** How often a proxy of ours repeated a request, by idempotency key. */
  repeatedKeys(): ReadonlyMap<string, number>;
}

/** Everything a run breaks, mends and asks: a stack of its own, behind proxies of its own. */
export interface ProofWorld extends Books {
  readonly stack: Stack;
  readonly stateFolder: string;
  readonly proxies: Readonly<Record<ProxiedService, FaultProxy>>;
  /** What every process of ours appends each fault point to that it reaches. */
  readonly faultPointsFile: string;
  close(): Promise<void>;
}

// Only records what is reached; a process that is restarted by the nemesis gets rules of its own.
export const NO_FAULT_POINTS = '*';

/** Brings up what a run needs: custody's Postgres is a server of its own, for the oracle must not fall with us. */
export async function startProofWorld(
  deps: { life: Life; log: (line: string) => void },
  input: {
    stateFolder: string;
    build: { buildFolder: string; nextDistDir: string };
    namedPorts: Partial<Ports>;
    onUnexpectedExit: (name: string, reason: string) => void;
  },
): Promise<ProofWorld> {
  const { stateFolder } = input;
  const faultPointsFile = join(stateFolder, 'fault-points.jsonl');
  const proxies = {
    redis: await startFaultProxy({ port: await findFreePort() }),
    postgres: await startFaultProxy({ port: await findFreePort() }),
    custody: await startFaultProxy({ port: await findFreePort() }),
  };
  deps.life.onStop({
    stop: async () => {
      await Promise.all(Object.values(proxies).map((proxy) => proxy.close()));
    },
  });
  const stack = await startStack(deps, {
    stateFolder,
    mode: { kind: 'production', ...input.build },
    namedPorts: input.namedPorts,
    counts: { web: 1, worker: 2 },
    custodyCluster: 'own',
    onUnexpectedExit: input.onUnexpectedExit,
    overrides: (role, urls) => {
      if (role === 'custody') return CUSTODY_TIMES;
      const through = (url: string, proxy: FaultProxy) => {
        const { hostname, port } = new URL(url);
        proxy.aim({ host: hostname === 'localhost' ? '127.0.0.1' : hostname, port: Number(port) });
        const proxied = new URL(url);
        proxied.port = String(proxy.port);
        return proxied.href;
      };
      return {
        DATABASE_URL: through(urls.database, proxies.postgres),
        REDIS_URL: through(urls.redis, proxies.redis),
        CUSTODY_URL: through(urls.custody, proxies.custody).replace(/\/$/, ''),
        PROTOCOL_TIMES: 'proof',
        FAULT_POINTS: NO_FAULT_POINTS,
        FAULT_POINTS_FILE: faultPointsFile,
      };
    },
  });
  if (!existsSync(faultPointsFile)) writeFileSync(faultPointsFile, '');
  const books = openBooks(stack);
  return {
    ...books,
    stack,
    stateFolder,
    proxies,
    faultPointsFile,
    repeatedKeys: proxies.custody.repeatedKeys,
    close: async () => {
      await books.close();
      await stack.end();
    },
  };
}

/** Opens the books of a stack that runs. */
export function openBooks(stack: Pick<Stack, 'urls' | 'env'>): Books & { close(): Promise<void> } {
  const { adminDatabase, database, chain, custody } = stack.urls;
  const pool = new pg.Pool({ connectionString: adminDatabase ?? database, max: 4, connectionTimeoutMillis: 2_000 });
  pool.on('error', () => undefined); // A Postgres that was killed takes idle connections along.
  return {
    stack,
    custody: createCustodyControl(custody),
    ask: async <Row extends pg.QueryResultRow>(text: string, values: readonly unknown[] = []) => {
      const ask = () => pool.query<Row>(text, [...values]);
      return (await askUntilAnswered(ask, { withinMs: POSTGRES_BACK_WITHIN_MS, isPassing: isOutage })).rows;
    },
    askChain: (method, params) => askChain(chain, method, params),
    repeatedKeys: () => new Map(),
    close: () => pool.end(),
  };
}

// In the order that the proof's preset of our own times needs: theirs shorter than ours.
export const CUSTODY_TIMES = {
  CUSTODY_MAX_REQUEST_MS: '1000',
  CUSTODY_WEBHOOK_FIRST_RETRY_MS: '300',
};

// A connection to a Postgres that is stopped costs two seconds a try.
const POSTGRES_BACK_WITHIN_MS = 120_000;

/** 57P01 to 57P03: ended by an administrator, crashed, starting up. Without a code the connection broke. */
function isOutage(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return code === '' || code.startsWith('57P') || code.startsWith('E') || code.startsWith('08');
}

async function askChain<Answer>(url: string, method: string, params: readonly unknown[]): Promise<Answer> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    signal: AbortSignal.timeout(30_000),
  });
  const answer = (await response.json()) as { result: Answer; error?: { message: string } };
  if (answer.error !== undefined) throw new Error(`${method}: ${answer.error.message}`);
  return answer.result;
}
