import { join } from 'node:path';
import type { CustodyControl } from '#e2e/proof/custody-control.ts';
import { createCustodyControl } from '#e2e/proof/custody-control.ts';
import { type FaultProxy, startFaultProxy } from '#e2e/proof/fault-proxy.ts';
import { HOT_WALLET_KEY } from '#stack/demo-keys.ts';
import { chainUrl, devChainSpec } from '#stack/dev-chain.ts';
import type { Life } from '#stack/life.mjs';
import { adminUrl, createSiblingDatabase, postgresSpec, preparePostgres } from '#stack/postgres.ts';
import type { BenchWorld } from '../harness/bench-world.ts';
import { BENCH_WEBHOOK_SECRET } from '../harness/secrets.ts';

type Deps = { life: Life; log: (line: string) => void };

/** What is broken, and who keeps count: custody, on a Postgres that nobody breaks, and proxies before everything else. */
export interface FaultStage {
  readonly world: BenchWorld;
  readonly proxies: Readonly<Record<'postgres' | 'redis' | 'custody', FaultProxy>>;
  /** A custody that has never paid anything, with this profile, at the proof's times or at real ones; behind the proxy. */
  openCustody(input: {
    profile: string;
    webhookUrl: string | null;
    times: 'proof' | 'production';
  }): Promise<CustodyForFaults>;
  /** The same address behind the proxy. */
  throughProxy(service: 'postgres' | 'redis', url: string): string;
}

export interface CustodyForFaults {
  readonly control: CustodyControl;
  stop(): Promise<void>;
}

export const CUSTODY_KEY = 'a key of the bench';
// Longer than our own not-after and quiet period at the proof's times (12 s), as custody declares it and the product demands;
// short enough that a copy from the network meets a key that is forgotten.
const PROOF_TIMES = {
  CUSTODY_KEY_WINDOW_SECONDS: '13',
  CUSTODY_MAX_REQUEST_MS: '1000',
  CUSTODY_WEBHOOK_FIRST_RETRY_MS: '300',
};
// Nobody is paid in tokens here: the networks that custody simulates need none.
const NO_CONTRACT = `0x${'00'.repeat(19)}01`;

export async function openFaultStage(deps: Deps, world: BenchWorld): Promise<FaultStage> {
  const { stateFolder, ports } = world;
  const cluster = await preparePostgres(deps, {
    name: 'custody-postgres',
    dataFolder: join(stateFolder, 'custody-postgres'),
    port: ports.custodyPostgres,
    password: world.databasePassword,
  });
  await world.startService(postgresSpec(cluster));
  await world.startService(devChainSpec({ port: ports.chain, stateFolder }));
  const proxies = {
    postgres: await startFaultProxy({ port: await world.freePort() }),
    redis: await startFaultProxy({ port: await world.freePort() }),
    custody: await startFaultProxy({ port: await world.freePort() }),
  };
  deps.life.onStop({
    stop: async () => {
      await Promise.all(Object.values(proxies).map((proxy) => proxy.close()));
    },
  });
  let opened = 0;
  return {
    world,
    proxies,
    throughProxy: (service, url) => {
      const proxied = new URL(url);
      proxies[service].aim({ host: '127.0.0.1', port: Number(proxied.port) });
      proxied.port = String(proxies[service].port);
      return proxied.href;
    },
    openCustody: async ({ profile, webhookUrl, times }) => {
      opened += 1;
      const database = await createSiblingDatabase(adminUrl(cluster), `custody_${process.pid}_${opened}`);
      const env = {
        CUSTODY_DATABASE_URL: database,
        CHAIN_RPC_URL: chainUrl(ports.chain),
        CUSTODY_API_KEY: CUSTODY_KEY,
        CUSTODY_WEBHOOK_SECRET: BENCH_WEBHOOK_SECRET,
        ...(webhookUrl === null ? {} : { CUSTODY_WEBHOOK_URL: webhookUrl }),
        CUSTODY_HOT_WALLET_KEY: HOT_WALLET_KEY,
        CUSTODY_PROFILE: profile,
        ...(times === 'proof' ? PROOF_TIMES : {}),
        USDC_CONTRACT: NO_CONTRACT,
        USDT_CONTRACT: NO_CONTRACT,
      };
      const custody = await world.start('mock-custody', env, {
        path: '/control/profile',
        portVariable: 'CUSTODY_PORT',
      });
      proxies.custody.aim({ host: '127.0.0.1', port: custody.port });
      return { control: createCustodyControl(custody.url), stop: custody.kill };
    },
  };
}
