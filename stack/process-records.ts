import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { identifyProcess, isAlive, type ProcessIdentity } from './process-identity.mjs';

type ProcessRecord = ProcessIdentity & { name: string; stopSignal: NodeJS.Signals };

// A data store that is asked to end writes what it holds first.
const END_WITHIN_MS = 5_000;

/** The list of what runs, on disk: a kill -9 of ourselves must not leave processes that nobody knows. */
export function keepProcessRecord(stateFolder: string) {
  const records: ProcessRecord[] = [];
  return {
    add: (added: { name: string; pid: number | undefined; stopSignal: NodeJS.Signals }) => {
      const identity = added.pid === undefined ? undefined : identifyProcess(added.pid);
      if (!identity) return;
      records.push({ ...identity, name: added.name, stopSignal: added.stopSignal });
      write(stateFolder, records);
    },
    remove: (pid: number | undefined) => {
      const index = records.findIndex((record) => record.pid === pid);
      if (index === -1) return;
      records.splice(index, 1);
      write(stateFolder, records);
    },
  };
}

/**
 * Ends what an earlier run left behind, last started first, and nothing else: a pid that now names another process has
 * another start time.
 *
 * @returns the names of what was ended
 */
export async function endLeftovers(stateFolder: string): Promise<string[]> {
  const left = read(stateFolder).filter(isAlive).reverse();
  for (const record of left) {
    // In doubt about a group of our own making: the process leads it, see keepProcesses.
    send(record.pid, 'SIGCONT');
    send(record.pid, record.stopSignal);
    const deadline = performance.now() + END_WITHIN_MS;
    while (isAlive(record) && performance.now() < deadline) await sleep(25);
    send(-record.pid, 'SIGKILL');
    while (isAlive(record)) await sleep(25);
  }
  write(stateFolder, []);
  return left.map((record) => record.name);
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error) || error.code !== 'ESRCH') throw error;
  }
}

function read(stateFolder: string): ProcessRecord[] {
  try {
    return JSON.parse(readFileSync(join(stateFolder, 'processes.json'), 'utf8'));
  } catch {
    return []; // The first start, or a file cut short by the crash: then nothing is known to be ours.
  }
}

function write(stateFolder: string, records: ProcessRecord[]): void {
  mkdirSync(stateFolder, { recursive: true });
  const path = join(stateFolder, 'processes.json');
  writeFileSync(`${path}.new`, JSON.stringify(records, null, 1));
  renameSync(`${path}.new`, path);
}
