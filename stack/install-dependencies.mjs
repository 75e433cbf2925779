// Dependency-free: it must work before anything is installed.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { withFileLock } from './file-lock.mjs';
import { runCommand } from './run-command.mjs';

/** @typedef {{ version?: string, optional?: boolean, link?: boolean }} LockedPackage */

/**
 * Makes node_modules what package-lock.json says, and does nothing when it already is.
 *
 * @param {{ life: import('./life.mjs').Life, log: (line: string) => void }} deps
 * @param {{ root: string }} input
 * @returns {Promise<void>}
 */
export async function installDependencies({ life, log }, { root }) {
  const lock = readFileSync(join(root, 'package-lock.json'), 'utf8');
  // A native package of another platform or Node is no package.
  const wanted = createHash('sha256').update(`${process.platform} ${process.arch} ${lock}`).digest('hex');
  const stamp = join(root, 'node_modules', '.installed');
  const isInstalled = () => existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted;
  if (isInstalled()) return;
  await withFileLock(
    {
      path: join(root, '.build', 'install.lock'),
      signal: life.signal,
      onWait: ({ pid }) => log(`process ${pid} is installing the dependencies; waiting for it`),
    },
    async () => {
      if (isInstalled()) return;
      if (!holdsWhatIsLocked(root, lock)) {
        log('installing dependencies');
        const args = ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'];
        // npm keeps what it downloads in a home; where there is none, in the checkout.
        const env = existsSync(homedir())
          ? process.env
          : { ...process.env, npm_config_cache: join(root, '.build', 'npm') };
        await runCommand({ life }, { ...npm(args), cwd: root, env });
        log('dependencies installed');
      }
      writeFileSync(stamp, wanted);
    },
  );
}

/**
 * True after an `npm ci` or `npm install` by hand: npm keeps beside the packages what it put there.
 *
 * @param {string} root @param {string} lock
 */
function holdsWhatIsLocked(root, lock) {
  const kept = join(root, 'node_modules', '.package-lock.json');
  if (!existsSync(kept)) return false;
  /** @type {Record<string, LockedPackage>} */
  const wanted = JSON.parse(lock).packages;
  /** @type {Record<string, LockedPackage>} */
  const present = JSON.parse(readFileSync(kept, 'utf8')).packages;
  const isPresent = Object.entries(wanted).every(
    ([path, { version, optional }]) =>
      path === '' || present[path]?.version === version || (optional && !present[path]),
  );
  return isPresent && Object.keys(present).every((path) => wanted[path]);
}

/**
 * npm, run by the Node that runs us: the one on PATH may belong to another.
 *
 * @param {string[]} args
 */
function npm(args) {
  const besideNode = join(dirname(process.execPath), '..', 'lib', 'node_modules', 'npm', 'bin', 'npm-cli.js');
  const script = process.env.npm_execpath ?? (existsSync(besideNode) ? besideNode : undefined);
  return script ? { command: process.execPath, args: [script, ...args] } : { command: 'npm', args };
}
