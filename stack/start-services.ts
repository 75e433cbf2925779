import { join } from 'node:path';
import { chainUrl, devChainSpec } from './dev-chain.ts';
import type { Life } from './life.mjs';
import {
  adminUrl,
  type Cluster,
  createOwnedDatabase,
  createSiblingDatabase,
  ownedUrl,
  postgresSpec,
  preparePostgres,
} from './postgres.ts';
import type { Processes, ProcessSpec } from './processes.ts';
import { redisSpec, redisUrl } from './redis.ts';
import { type Ports, readSecrets } from './state-folder.ts';
import { findRedisServer } from './system-packages.mjs';

export type ServiceUrls = {
  database: string;
  custodyDatabase: string;
  redis: string;
  chain: string;
  /** The superuser of our own Postgres; null where the server was given to us. */
  adminDatabase: string | null;
  custodyAdminDatabase: string | null;
};

/** Servers that run already and are used in place of ours. */
export type GivenServices = {
  databaseUrl?: string | undefined;
  custodyDatabaseUrl?: string | undefined;
  redisUrl?: string | undefined;
};

export type Services = { urls: ServiceUrls; specs: Map<string, ProcessSpec> };

type Deps = { life: Life; log: (line: string) => void; processes: Processes };

/**
 * Starts Postgres with an empty database for us and one for custody, Redis and the dev chain, and waits for each.
 *
 * @param input.custodyCluster `own`: custody's Postgres is another server, so that a test may break ours alone
 */
export async function startServices(
  deps: Deps,
  input: {
    stateFolder: string;
    ports: Ports;
    given: GivenServices;
    custodyCluster: 'shared' | 'own';
    /** Between two blocks of the dev chain; default 1. */
    blockSeconds?: number | undefined;
  },
): Promise<Services> {
  const specs = new Map<string, ProcessSpec>();
  const start = async (spec: ProcessSpec) => {
    specs.set(spec.name, spec);
    await deps.processes.start(spec);
    deps.log(`${spec.name} is ready`);
  };
  const [databases, redis, chain] = await Promise.all([
    startDatabases(deps, { ...input, start }),
    startRedis(deps, { ...input, start }),
    startChain({ ...input, start }),
  ]);
  return { urls: { ...databases, redis, chain }, specs };
}

type Start = (spec: ProcessSpec) => Promise<void>;
type DatabaseUrls = Omit<ServiceUrls, 'redis' | 'chain'>;

async function startDatabases(
  deps: Deps,
  input: { stateFolder: string; ports: Ports; given: GivenServices; custodyCluster: 'shared' | 'own'; start: Start },
): Promise<DatabaseUrls> {
  if (input.given.databaseUrl) return adoptDatabases(input.given.databaseUrl, input.given.custodyDatabaseUrl);
  const { databasePassword: password } = readSecrets(input.stateFolder);
  const startCluster = async (name: string, folder: string, port: number): Promise<Cluster> => {
    const dataFolder = join(input.stateFolder, folder);
    const cluster = await preparePostgres(deps, { name, dataFolder, port, password });
    await input.start(postgresSpec(cluster));
    return cluster;
  };
  const ours = await startCluster('postgres', 'postgres', input.ports.postgres);
  const custodys =
    input.custodyCluster === 'shared'
      ? ours
      : await startCluster('custody-postgres', 'custody-postgres', input.ports.custodyPostgres);
  await createOwnedDatabase(ours, { database: 'cryptoex', password });
  await createOwnedDatabase(custodys, { database: 'custody', password });
  return {
    database: ownedUrl(ours, { database: 'cryptoex', password }),
    custodyDatabase: ownedUrl(custodys, { database: 'custody', password }),
    adminDatabase: adminUrl(ours, 'cryptoex'),
    custodyAdminDatabase: adminUrl(custodys, 'custody'),
  };
}

async function adoptDatabases(databaseUrl: string, custodyDatabaseUrl: string | undefined): Promise<DatabaseUrls> {
  const beside = `${new URL(databaseUrl).pathname.slice(1)}_custody`;
  return {
    database: databaseUrl,
    custodyDatabase: custodyDatabaseUrl ?? (await createSiblingDatabase(databaseUrl, beside)),
    adminDatabase: null,
    custodyAdminDatabase: null,
  };
}

async function startRedis(
  deps: Deps,
  input: { stateFolder: string; ports: Ports; given: GivenServices; start: Start },
): Promise<string> {
  if (input.given.redisUrl) return input.given.redisUrl;
  const program = await findRedisServer(deps, { stateFolder: input.stateFolder });
  await input.start(redisSpec({ program, port: input.ports.redis, stateFolder: input.stateFolder }));
  return redisUrl(input.ports.redis);
}

async function startChain(input: {
  stateFolder: string;
  ports: Ports;
  blockSeconds?: number | undefined;
  start: Start;
}): Promise<string> {
  await input.start(devChainSpec({ ...input, port: input.ports.chain }));
  return chainUrl(input.ports.chain);
}
