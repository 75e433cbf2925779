import { join } from 'node:path';
import pg from 'pg';
import { bundleEntries } from '#stack/bundle-entries.ts';
import { childEnvironment } from '#stack/child-environment.ts';
import type { Life } from '#stack/life.mjs';
import { adminUrl, postgresSpec, preparePostgres } from '#stack/postgres.ts';
import { endLeftovers } from '#stack/process-records.ts';
import { keepProcesses, type ProcessSpec } from '#stack/processes.ts';
import { PROJECT_ROOT } from '#stack/project-root.ts';
import { redisSpec, redisUrl } from '#stack/redis.ts';
import { runCommand } from '#stack/run-command.mjs';
import { choosePorts, findFreePort, type Ports, readSecrets } from '#stack/state-folder.ts';
import { findRedisServer } from '#stack/system-packages.mjs';

type Deps = { life: Life; log: (line: string) => void };

/** A process of a contestant: one of `BUNDLES`, answering on a port of its own once it is ready. */
export interface BenchProcess {
  readonly pid: number;
  readonly port: number;
  readonly url: string;
  stop(): Promise<void>;
  /** At once and without a word, as a machine dies. */
  kill(): Promise<void>;
}

interface Ready {
  readonly path: string;
  readonly portVariable: string;
  /** A port that somebody else knows already. */
  readonly port?: number;
  /** For Node itself, before the bundle. */
  readonly flags?: readonly string[];
  /** Runs where the peers' packages are found. */
  readonly besidePeers?: boolean;
}

export interface BenchWorld {
  readonly redisUrl: string;
  /** Process ids of what everybody shares. */
  readonly pids: { readonly postgres: number; readonly redis: number };
  /** A database of its own, as empty as the product's before its first day. */
  createDatabase(name: string): Promise<string>;
  /** One without our tables. */
  createEmptyDatabase(name: string): Promise<string>;
  dropDatabase(name: string): Promise<void>;
  freePort(): Promise<number>;
  readonly stateFolder: string;
  readonly ports: Ports;
  /** Of the superuser of every Postgres here. */
  readonly databasePassword: string;
  /** Something that is neither a contestant nor shared by all of them. */
  startService(spec: ProcessSpec): Promise<void>;
  /** As an administrator does. */
  endSessions(database: string): Promise<void>;
  /** Ends what everybody shares and starts it again; `kill` without a word. */
  restart(name: 'postgres' | 'redis', how: 'stop' | 'kill', meanwhile?: () => void): Promise<void>;
  /** Starts a bundle and waits until it answers. It is told its port as PORT, or under the name given. */
  start(bundle: string, env: Record<string, string>, ready?: Ready): Promise<BenchProcess>;
}

const STATE = join(PROJECT_ROOT, '.state-bench');
const BUILD = join(PROJECT_ROOT, '.build-bench');
/** Where the packages of the peers are installed: apart from ours, and away from whoever looks for tests. */
export const PEERS_FOLDER = join(BUILD, 'peers');
// Packages are looked for from where a file lies.
const PEERS_BUILD = join(PEERS_FOLDER, 'bundles');
const READY: Ready = { path: '/ready', portVariable: 'PORT' };

/** Postgres as the product runs it (fsync on) and Redis, for benchmarks alone; and whatever they start on them. */
export async function startBenchWorld(
  deps: Deps,
  input: { bundles: Record<string, string>; peerBundles: Record<string, string> },
): Promise<BenchWorld> {
  const { life, log } = deps;
  await endLeftovers(STATE);
  const secrets = readSecrets(STATE);
  const ports = await choosePorts(STATE, {});
  const processes = keepProcesses({
    stateFolder: STATE,
    signal: life.signal,
    onUnexpectedExit: (name, reason) => log(`${name} ${reason}`),
  });
  const end = async () => {
    const running = processes.list().filter(({ state }) => state === 'running');
    // What was started last leans on what was started first.
    for (const { name } of running.reverse()) await processes.stop(name);
  };
  life.onStop({ stop: end, force: processes.killAll });
  const dataFolder = join(STATE, 'postgres');
  const cluster = await preparePostgres(deps, {
    name: 'postgres',
    dataFolder,
    port: ports.postgres,
    password: secrets.databasePassword,
  });
  const program = await findRedisServer(deps, { stateFolder: STATE });
  const shared = {
    postgres: postgresSpec(cluster),
    redis: redisSpec({ program, port: ports.redis, stateFolder: STATE }),
  };
  for (const spec of Object.values(shared)) await processes.start(spec);
  await bundleEntries({ entries: { ...input.bundles, migrate: 'prisma/migrate.ts' }, folder: BUILD });
  await bundleEntries({ entries: input.peerBundles, folder: PEERS_BUILD });
  const pidOf = (name: string) => {
    const pid = processes.list().find((one) => one.name === name)?.pid;
    if (pid === undefined || pid === null) throw new Error(`${name} does not run`);
    return pid;
  };
  let started = 0;
  const createEmptyDatabase = async (name: string) => {
    await onCluster(adminUrl(cluster), `drop database if exists ${name} with (force)`);
    await onCluster(adminUrl(cluster), `create database ${name}`);
    return adminUrl(cluster, name);
  };
  return {
    redisUrl: redisUrl(ports.redis),
    pids: { postgres: pidOf('postgres'), redis: pidOf('redis') },
    createEmptyDatabase,
    dropDatabase: (name) => onCluster(adminUrl(cluster), `drop database if exists ${name} with (force)`),
    freePort: () => findFreePort(),
    stateFolder: STATE,
    ports,
    databasePassword: secrets.databasePassword,
    endSessions: (name) =>
      onCluster(
        adminUrl(cluster),
        `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}' and application_name = 'cryptoex'`,
      ),
    startService: (spec) => processes.start(spec),
    restart: async (name, how, meanwhile) => {
      if (how === 'kill') await processes.kill(name, 'SIGKILL');
      else await processes.stop(name);
      meanwhile?.();
      await processes.start(shared[name]);
    },
    createDatabase: async (name) => {
      const url = await createEmptyDatabase(name);
      // In a process of its own: it finds its migrations beside its bundle.
      const env = { ...childEnvironment(), NODE_ENV: 'production' as const, DATABASE_URL: url };
      await runCommand(deps, { command: process.execPath, args: [join(BUILD, 'migrate.mjs')], cwd: PROJECT_ROOT, env });
      return url;
    },
    start: async (name, env, ready = READY) => {
      started += 1;
      const unique = `${name}-${started}`;
      const port = ready.port ?? (await findFreePort());
      await processes.start({
        name: unique,
        command: process.execPath,
        args: [...(ready.flags ?? []), join(ready.besidePeers ? PEERS_BUILD : BUILD, `${name}.mjs`)],
        env: {
          ...childEnvironment(),
          NODE_ENV: 'production',
          LOG_LEVEL: 'warn',
          ...env,
          [ready.portVariable]: String(port),
        },
        stopSignal: 'SIGTERM',
        stopWithinMs: 10_000,
        isReady: () => answers(`http://127.0.0.1:${port}${ready.path}`),
        readyWithinMs: 60_000,
      });
      return {
        pid: pidOf(unique),
        port,
        url: `http://127.0.0.1:${port}`,
        stop: () => processes.stop(unique),
        kill: async () => {
          const isRunning = processes.list().some(({ name, state }) => name === unique && state === 'running');
          if (isRunning) await processes.kill(unique, 'SIGKILL');
        },
      };
    },
  };
}

async function answers(url: string): Promise<boolean> {
  try {
    return (await fetch(url, { signal: AbortSignal.timeout(1_000) })).ok;
  } catch {
    return false;
  }
}

async function onCluster(url: string, text: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(text);
  } finally {
    await client.end();
  }
}
