// Dependency-free: it must work before anything is installed.
import { spawn } from 'node:child_process';

// The last lines of a tool say what went wrong; all of them are too many for an error message.
const TAIL_CHARACTERS = 4_000;
const KILL_AFTER_MS = 5_000;

/**
 * Runs a tool to its end. It gets a process group of its own, so that a stop reaches whatever the tool started.
 *
 * @param {{ life: import('./life.mjs').Life }} deps
 * @param {{
 *   command: string, args: string[], cwd?: string, env?: NodeJS.ProcessEnv,
 *   onOutput?: (chunk: string) => void, letItFinish?: boolean, withinMs?: number,
 * }} run `letItFinish`: a stop waits for it instead of ending it
 * @returns {Promise<string>} everything it printed
 * @throws when it cannot be started or ends with another code than 0; the message ends with its last lines
 */
export async function runCommand({ life }, run) {
  const { code, output } = await tryCommand({ life }, run);
  if (code === 0) return output;
  throw new Error(`${run.command} ${run.args.join(' ')} ended with ${code}\n${output.slice(-TAIL_CHARACTERS).trim()}`);
}

/**
 * The same for a tool whose failure is an answer.
 *
 * @param {{ life: import('./life.mjs').Life }} deps
 * @param {Parameters<typeof runCommand>[1]} run
 * @returns {Promise<{ code: number | string, output: string }>} the code it ended with, or the signal that ended it
 */
export function tryCommand({ life }, { command, args, cwd, env, onOutput, letItFinish = false, withinMs }) {
  life.signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd,
      env: env ?? process.env,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    /** @param {Buffer | string} chunk */
    const collect = (chunk) => {
      output += chunk;
      onOutput?.(String(chunk));
    };
    child.stdout.on('data', collect);
    child.stderr.on('data', collect);
    const deadline = withinMs === undefined ? undefined : setTimeout(() => giveUp(withinMs), withinMs);
    /** @param {number} waitedMs */
    const giveUp = (waitedMs) => {
      collect(`\nended by us: it was not done within ${waitedMs} ms\n`);
      killGroup(child, 'SIGKILL');
    };
    const exited = new Promise((done) => child.once('exit', done));
    const forget = life.onStop({
      stop: async () => {
        if (child.exitCode !== null || child.signalCode !== null) return;
        if (!letItFinish) killGroup(child, 'SIGTERM');
        const timer = letItFinish ? undefined : setTimeout(() => killGroup(child, 'SIGKILL'), KILL_AFTER_MS);
        await exited;
        clearTimeout(timer);
      },
      force: () => killGroup(child, 'SIGKILL'),
    });
    child.once('error', (error) => {
      clearTimeout(deadline);
      forget();
      reject(new Error(`${command} could not be started: ${error.message}`));
    });
    child.once('close', (code, signal) => {
      clearTimeout(deadline);
      forget();
      resolve({ code: code ?? signal ?? 'unknown', output });
    });
  });
}

/** @param {import('node:child_process').ChildProcess} child @param {NodeJS.Signals} signal */
function killGroup(child, signal) {
  try {
    if (child.pid) process.kill(-child.pid, signal);
  } catch {
    // It ended by itself in the meantime.
  }
}
