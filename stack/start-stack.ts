import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type BuildPlace, buildProduct } from './build-product.ts';
import { childEnvironment } from './child-environment.ts';
import { serveControl } from './control-server.ts';
import { deployTokens } from './deploy-tokens.ts';
import { generateClient } from './generate-client.ts';
import type { Life } from './life.mjs';
import { endLeftovers } from './process-records.ts';
import { keepProcesses, type ProcessState } from './processes.ts';
import { custodyUrl, type Environment, productEnvironment, publicUrl } from './product-environment.ts';
import { type ProductProcess, type ProductRole, productSpec } from './product-processes.ts';
import { PROJECT_ROOT } from './project-root.ts';
import { runCommand } from './run-command.mjs';
import { type GivenServices, type ServiceUrls, startServices } from './start-services.ts';
import { choosePorts, findFreePort, type Ports, readSecrets } from './state-folder.ts';
import { stopInOrder } from './stop-in-order.ts';

export type StackMode = ({ kind: 'production' } & BuildPlace) | { kind: 'development'; nextDistDir: string };
export type StackUrls = ServiceUrls & { web: string; custody: string; workerHealth: string };

export type StackOptions = {
  /** Everything that the stack keeps lies in it. */
  stateFolder: string;
  mode: StackMode;
  /** Ports that must be these. */
  namedPorts?: Partial<Ports>;
  given?: GivenServices;
  /** How many of each; 0 starts none. The first has the role's name, further ones `worker-2`, `worker-3`. */
  counts?: Partial<Record<'web' | 'worker', number>>;
  custodyCluster?: 'shared' | 'own';
  /** Between two blocks of the dev chain; default 1. */
  blockSeconds?: number;
  /** Settings of single processes, over our own: a proxy in front of Redis, fault points, other protocol times. */
  overrides?: (role: ProductRole, urls: StackUrls) => Environment;
  onUnexpectedExit: (name: string, reason: string) => void;
};

export type Stack = {
  urls: StackUrls;
  /** What web is told; a test that calls our own verbs is told the same. */
  env: Environment;
  processes: () => ProcessState[];
  /** Starts a process that is not running, or a further `worker-N` or `web-N`, and waits until it is ready. */
  start: (name: string, overrides?: Environment) => Promise<void>;
  stop: (name: string) => Promise<void>;
  kill: (name: string, signal: NodeJS.Signals) => Promise<void>;
  /** Everything, in order: doors, custody, chain, Redis, Postgres. */
  end: () => Promise<void>;
};

type Deps = { life: Life; log: (line: string) => void };

/** Brings the whole system up and returns once each part is ready. It ends with the process at the latest. */
export async function startStack(deps: Deps, options: StackOptions): Promise<Stack> {
  const { life, log } = deps;
  const { stateFolder, mode } = options;
  mkdirSync(stateFolder, { recursive: true, mode: 0o700 });
  const left = await endLeftovers(stateFolder);
  if (left.length > 0) log(`ended what an earlier run left: ${left.join(', ')}`);
  const ports = await choosePorts(stateFolder, options.namedPorts ?? {});
  const secrets = readSecrets(stateFolder);
  const processes = keepProcesses({ stateFolder, signal: life.signal, onUnexpectedExit: options.onUnexpectedExit });
  const end = () => stopInOrder({ processes, log });
  life.onStop({ stop: end, force: processes.killAll });

  const given = options.given ?? {};
  const custodyCluster = options.custodyCluster ?? 'shared';
  const [services] = await Promise.all([
    startServices(
      { ...deps, processes },
      { stateFolder, ports, given, custodyCluster, blockSeconds: options.blockSeconds },
    ),
    mode.kind === 'production' ? buildProduct(deps, mode) : generateClient(deps),
  ]);
  const urls: StackUrls = {
    ...services.urls,
    web: publicUrl(ports),
    custody: custodyUrl(ports),
    workerHealth: `http://127.0.0.1:${ports.workerHealth}`,
  };

  const run = (file: string, env: Environment) => runEntry(deps, { mode, file, env });
  const [, tokens] = await Promise.all([
    run('prisma/migrate.ts', { DATABASE_URL: urls.database }),
    deployTokens(deps, {
      module: entryFile(mode, 'mock-custody/contracts/deploy.ts'),
      chainUrl: urls.chain,
      stateFolder,
    }),
  ]);
  log('migrations are applied, token contracts are on the chain');
  // The fault lab of the demo kills workers and starts them again, takes a service away for a while, and reaches nothing else.
  const lab = await serveControl(
    { processes: processes.list, start, stop: processes.stop, kill: processes.kill },
    { only: /^worker(-\d+)?$/, outages: /^(postgres|redis|chain|custody)$/ },
  );
  life.onStop({ stop: lab.close });
  const world = { urls: services.urls, ports, secrets, tokens, nextDistDir: mode.nextDistDir, lab };
  const environmentOf = (role: ProductRole): Environment => ({
    ...productEnvironment(role, world),
    ...options.overrides?.(role, urls),
  });

  async function startProduct(role: ProductRole, name: string, overrides: Environment = {}): Promise<void> {
    const isFirst = name === role;
    const port = isFirst
      ? { web: ports.web, worker: ports.workerHealth, custody: ports.custody }[role]
      : await findFreePort();
    const portVariable = { web: 'PORT', worker: 'WORKER_HEALTH_PORT', custody: 'CUSTODY_PORT' }[role];
    const product: ProductProcess = {
      role,
      name,
      healthUrl: `http://localhost:${port}/health/ready`,
      env: { ...environmentOf(role), [portVariable]: String(port), ...overrides },
    };
    await processes.start(productSpec(mode, product));
    log(`${name} is ready`);
  }

  async function start(name: string, overrides: Environment = {}): Promise<void> {
    const service = services.specs.get(name);
    return service ? processes.start(service) : startProduct(roleOf(name), name, overrides);
  }

  await startProduct('custody', 'custody');
  await run('prisma/seed.ts', productEnvironment('seed', world));
  log('demo data is there');
  await Promise.all(
    (['web', 'worker'] as const).flatMap((role) =>
      Array.from({ length: options.counts?.[role] ?? 1 }, (_, index) =>
        startProduct(role, index === 0 ? role : `${role}-${index + 1}`),
      ),
    ),
  );
  return {
    urls,
    env: environmentOf('web'),
    processes: processes.list,
    start,
    stop: processes.stop,
    kill: processes.kill,
    end,
  };
}

function roleOf(name: string): ProductRole {
  const role = /^(web|worker|custody)(-\d+)?$/.exec(name)?.[1];
  if (role !== 'web' && role !== 'worker' && role !== 'custody') throw new Error(`there is no process ${name}`);
  return role;
}

function entryFile(mode: StackMode, source: string): string {
  if (mode.kind === 'development') return source;
  const bundle =
    source === 'mock-custody/contracts/deploy.ts' ? 'deploy-tokens' : source.replace(/^prisma\/|\.ts$/g, '');
  return join(mode.buildFolder, `${bundle}.mjs`);
}

async function runEntry(deps: Deps, input: { mode: StackMode; file: string; env: Environment }): Promise<void> {
  const loader = input.mode.kind === 'development' ? ['--import', 'tsx'] : [];
  await runCommand(deps, {
    command: process.execPath,
    args: [...loader, entryFile(input.mode, input.file)],
    cwd: PROJECT_ROOT,
    env: { ...childEnvironment(), NODE_ENV: input.mode.kind, ...input.env },
  });
}
