// Dependency-free: it must work before anything is installed.
import { existsSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { runCommand } from './run-command.mjs';

/** @typedef {{ life: import('./life.mjs').Life, log: (line: string) => void }} Deps */

// Debian's redis-tools holds the whole server under the name of one of its tools, and installs no service.
const REDIS_IN_TOOLS = '/usr/bin/redis-check-rdb';
const DEBIAN_CHROMIUM = '/usr/bin/chromium';
// Another apt may be at work, as on every machine that was just started.
const APT_LOCK_TRIES = 60;

/**
 * A Redis server to start: the one on PATH, else Debian's.
 *
 * @param {Deps} deps
 * @param {{ stateFolder: string }} input where the link to Debian's is put
 * @returns {Promise<string>} path of the program
 * @throws with one line that says how to get one
 */
export async function findRedisServer(deps, { stateFolder }) {
  const onPath = findOnPath('redis-server');
  if (onPath) return onPath;
  if (!existsSync(REDIS_IN_TOOLS) && mayInstall()) {
    await install(deps, 'redis-tools').catch((error) => deps.log(`redis-tools: ${lastLine(error)}`));
  }
  if (!existsSync(REDIS_IN_TOOLS)) {
    throw new Error(
      'Redis is missing: install it (Debian: apt-get install redis-server; macOS: brew install redis); npm start also takes REDIS_URL',
    );
  }
  // The program looks at the name it was called by.
  mkdirSync(stateFolder, { recursive: true });
  const link = join(stateFolder, 'redis-server');
  rmSync(link, { force: true });
  symlinkSync(REDIS_IN_TOOLS, link);
  return link;
}

/**
 * A Chromium for the browser tests: CHROMIUM_PATH, else Debian's, else the one that Playwright downloads.
 *
 * @param {Deps} deps
 * @returns {Promise<string | undefined>} path of the program; undefined leaves it to Playwright
 */
export async function findChromium(deps) {
  if (process.env.CHROMIUM_PATH) return process.env.CHROMIUM_PATH;
  if (existsSync(DEBIAN_CHROMIUM)) return DEBIAN_CHROMIUM;
  const onPath = findOnPath('chromium') ?? findOnPath('google-chrome');
  if (onPath) return onPath;
  if (!mayInstall()) return undefined;
  // Ubuntu's package of that name is a stub, and a machine may have no way to Debian's servers but one to Playwright's.
  await install(deps, 'chromium').catch((error) => deps.log(`chromium: ${lastLine(error)}`));
  return existsSync(DEBIAN_CHROMIUM) ? DEBIAN_CHROMIUM : undefined;
}

/** @param {unknown} error */
function lastLine(error) {
  return (error instanceof Error ? error.message : String(error)).trim().split('\n').at(-1);
}

/** @param {string} name */
function findOnPath(name) {
  return (process.env.PATH ?? '')
    .split(delimiter)
    .filter(Boolean)
    .map((folder) => join(folder, name))
    .find((path) => existsSync(path));
}

function mayInstall() {
  return process.getuid?.() === 0 && existsSync('/etc/debian_version');
}

/** @param {Deps} deps @param {string} packageName */
async function install({ life, log }, packageName) {
  log(`installing Debian's ${packageName}`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  /** @param {string[]} args */
  const apt = async (args) => {
    for (let triesLeft = APT_LOCK_TRIES; ; triesLeft -= 1) {
      try {
        // A package manager that is ended half way leaves a broken machine: a stop waits for it.
        return await runCommand({ life }, { command: 'apt-get', args: ['-qq', ...args], env, letItFinish: true });
      } catch (error) {
        const isLocked = error instanceof Error && /could not get lock|unable to lock/i.test(error.message);
        if (!isLocked || triesLeft === 0) throw error;
        await sleep(5_000, undefined, { signal: life.signal });
      }
    }
  };
  await apt(['update']);
  await apt(['install', '-y', '--no-install-recommends', packageName]);
  log(`${packageName} installed`);
}
