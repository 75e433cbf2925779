import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { keepProcessRecord } from './process-records.ts';
import { PROJECT_ROOT } from './project-root.ts';
import { waitUntil } from './wait-until.ts';

/** A process to be kept running. */
export type ProcessSpec = {
  name: string;
  command: string;
  args: string[];
  env: Record<string, string | undefined>;
  /** What asks it to end well. */
  stopSignal: NodeJS.Signals;
  stopWithinMs: number;
  isReady: () => Promise<boolean>;
  readyWithinMs: number;
  /** Output goes to our own terminal in place of a log file. */
  inTerminal?: boolean;
};

export type ProcessState = { name: string; pid: number | null; state: 'running' | 'ended'; logFile: string };

export type Processes = {
  /** Starts it and waits until it is ready. */
  start: (spec: ProcessSpec) => Promise<void>;
  /** Asks it to end, kills it when it does not, waits until it is gone. Nothing to do is fine. */
  stop: (name: string) => Promise<void>;
  /** Sends a signal; after SIGKILL waits until it is gone. */
  kill: (name: string, signal: NodeJS.Signals) => Promise<void>;
  list: () => ProcessState[];
  /** Everything still running, at once and without asking. */
  killAll: () => void;
};

type Running = { spec: ProcessSpec; child: ChildProcess; exited: Promise<void>; isExpected: boolean; logFile: string };

const LOG_TAIL_CHARACTERS = 3_000;

/**
 * Keeps processes: each in a group of its own (a terminal signals the whole of ours), its output in a log file that
 * outlives us, its pid on record for the next start.
 */
export function keepProcesses(deps: {
  stateFolder: string;
  signal: AbortSignal;
  onUnexpectedExit: (name: string, reason: string) => void;
}): Processes {
  const { stateFolder, signal, onUnexpectedExit } = deps;
  const running = new Map<string, Running>();
  const records = keepProcessRecord(stateFolder);

  function launch(spec: ProcessSpec): Running {
    signal.throwIfAborted();
    if (isRunning(running.get(spec.name))) throw new Error(`${spec.name} is running already`);
    const logFile = join(stateFolder, 'logs', `${spec.name}.log`);
    const output = spec.inTerminal ? 'inherit' : openLog(logFile);
    const child = spawn(spec.command, spec.args, {
      cwd: PROJECT_ROOT,
      detached: true,
      stdio: ['ignore', output, output],
      env: { NODE_ENV: 'production', ...spec.env },
    });
    if (typeof output === 'number') closeSync(output);
    const entry: Running = { spec, child, exited: Promise.resolve(), isExpected: false, logFile };
    entry.exited = new Promise((resolve) => {
      child.once('error', () => resolve());
      child.once('exit', (code, by) => {
        records.remove(child.pid);
        resolve();
        if (!entry.isExpected && !signal.aborted) onUnexpectedExit(spec.name, `ended by itself (${code ?? by})`);
      });
    });
    running.set(spec.name, entry);
    records.add({ name: spec.name, pid: child.pid, stopSignal: spec.stopSignal });
    return entry;
  }

  async function start(spec: ProcessSpec): Promise<void> {
    const entry = launch(spec);
    const isReadyOrOver = () => {
      if (!isRunning(entry)) throw new Error(`${spec.name} ended before it was ready\n${readTail(entry.logFile)}`);
      return spec.isReady();
    };
    try {
      await waitUntil(isReadyOrOver, { what: `${spec.name} was not ready`, withinMs: spec.readyWithinMs, signal });
    } catch (error) {
      if (!isRunning(entry) || signal.aborted) throw error;
      throw new Error(`${error instanceof Error ? error.message : error}\n${readTail(entry.logFile)}`);
    }
  }

  async function stop(name: string): Promise<void> {
    const entry = running.get(name);
    if (!entry || !isRunning(entry)) return;
    entry.isExpected = true;
    entry.child.kill('SIGCONT'); // A process that a test has stopped hears nothing else.
    entry.child.kill(entry.spec.stopSignal);
    const timer = setTimeout(() => killGroup(entry.child), entry.spec.stopWithinMs);
    await entry.exited;
    clearTimeout(timer);
    killGroup(entry.child); // What it may have started itself.
  }

  async function kill(name: string, sent: NodeJS.Signals): Promise<void> {
    const entry = running.get(name);
    if (!entry || !isRunning(entry)) throw new Error(`${name} is not running`);
    entry.isExpected ||= sent !== 'SIGSTOP' && sent !== 'SIGCONT';
    // What it started itself falls with it, as in a real crash: Postgres is a family of processes.
    if (sent === 'SIGKILL') killGroup(entry.child);
    else entry.child.kill(sent);
    if (sent === 'SIGKILL') await entry.exited;
  }

  return {
    start,
    stop,
    kill,
    list: () => [...running.values()].map(asState),
    killAll: () => {
      for (const entry of running.values()) {
        entry.isExpected = true;
        killGroup(entry.child);
      }
    },
  };
}

function asState(entry: Running): ProcessState {
  const alive = isRunning(entry);
  return {
    name: entry.spec.name,
    pid: alive ? (entry.child.pid ?? null) : null,
    state: alive ? 'running' : 'ended',
    logFile: entry.logFile,
  };
}

function isRunning(entry: Running | undefined): boolean {
  return entry?.child.pid !== undefined && entry.child.exitCode === null && entry.child.signalCode === null;
}

function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error) || error.code !== 'ESRCH') throw error;
  }
}

/** The log of the run before is kept beside it: after a restart it is often the interesting one. */
function openLog(path: string): number {
  mkdirSync(join(path, '..'), { recursive: true });
  if (existsSync(path)) renameSync(path, `${path}.before`);
  return openSync(path, 'w', 0o600);
}

function readTail(logFile: string): string {
  if (!existsSync(logFile)) return '';
  return `last lines of ${logFile}:\n${readFileSync(logFile, 'utf8').slice(-LOG_TAIL_CHARACTERS).trim()}`;
}
