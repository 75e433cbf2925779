// Dependency-free: it must work before anything is installed.
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { identifyProcess, isAlive } from './process-identity.mjs';

/** @typedef {import('./process-identity.mjs').ProcessIdentity} ProcessIdentity */

/**
 * Takes a lock that lives as long as this process: one that a kill -9 left behind belongs to nobody.
 *
 * @param {string} path
 * @returns {{ kind: 'taken', release: () => void } | { kind: 'held', by: ProcessIdentity }}
 */
export function tryFileLock(path) {
  const self = identifyProcess(process.pid);
  if (!self) throw new Error('this process cannot be identified');
  mkdirSync(dirname(path), { recursive: true });
  // Written beside and linked into place: whoever finds the lock finds it with its holder's name.
  const own = `${path}.${process.pid}`;
  writeFileSync(own, JSON.stringify(self));
  try {
    for (;;) {
      try {
        linkSync(own, path);
        return { kind: 'taken', release: () => rmSync(path, { force: true }) };
      } catch (error) {
        if (!(error instanceof Error) || !('code' in error) || error.code !== 'EEXIST') throw error;
      }
      const holder = readHolder(path);
      if (holder && isAlive(holder)) return { kind: 'held', by: holder };
      takeAway(path, holder);
    }
  } finally {
    rmSync(own, { force: true });
  }
}

/**
 * Waits for the lock, does the work, gives the lock back.
 *
 * @template T
 * @param {{ path: string, signal: AbortSignal, onWait: (holder: ProcessIdentity) => void }} lock
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withFileLock({ path, signal, onWait }, work) {
  let told = false;
  for (;;) {
    const lock = tryFileLock(path);
    if (lock.kind === 'taken') {
      try {
        return await work();
      } finally {
        lock.release();
      }
    }
    if (!told) onWait(lock.by);
    told = true;
    await sleep(200, undefined, { signal });
  }
}

/**
 * The process that holds the lock now, if it lives.
 *
 * @param {string} path
 * @returns {ProcessIdentity | undefined}
 */
export function findLockHolder(path) {
  const holder = readHolder(path);
  return holder && isAlive(holder) ? holder : undefined;
}

/**
 * Takes a dead holder's lock out of the way. Of two that find it, the second must not take away what the first has put there
 * since: it is moved aside, and put back if it turns out to be another's.
 *
 * @param {string} path
 * @param {ProcessIdentity | undefined} dead
 */
function takeAway(path, dead) {
  const aside = `${path}.${process.pid}.dead`;
  try {
    renameSync(path, aside);
  } catch {
    return; // The other was quicker.
  }
  const moved = readHolder(aside);
  if (moved && isAlive(moved) && moved.pid !== dead?.pid) {
    try {
      linkSync(aside, path);
    } catch {
      // A third holds it already, so the second of two that cannot both be right gives way.
    }
  }
  rmSync(aside, { force: true });
}

/** @param {string} path @returns {ProcessIdentity | undefined} */
function readHolder(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined; // Just released, or half written by one that died.
  }
}
