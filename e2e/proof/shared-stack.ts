import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ConnectedStack } from '#stack/connect-stack.ts';
import { flushRedis } from './flush-redis.ts';
import type { Stage } from './matrix/stage.ts';
import { type Books, CUSTODY_TIMES, NO_FAULT_POINTS, openBooks } from './proof-world.ts';

export interface SharedStage extends Stage {
  readonly books: Books;
  /** The stack as it was, for whoever comes next. */
  giveBack(): Promise<void>;
}

/** Borrows the stack of the specs for crashes: the proof's times, and every process tells which fault points it reaches. */
export async function borrowStack(stack: ConnectedStack): Promise<SharedStage> {
  const faultPointsFile = join(mkdtempSync(join(tmpdir(), 'fault-points-')), 'reached.jsonl');
  writeFileSync(faultPointsFile, '');
  const times = { PROTOCOL_TIMES: 'proof', FAULT_POINTS: NO_FAULT_POINTS, FAULT_POINTS_FILE: faultPointsFile };
  const books = openBooks(stack);
  const isRunning = async (name: string) =>
    (await stack.processes()).some((process) => process.name === name && process.state === 'running');
  const all = { custody: CUSTODY_TIMES, web: times, worker: times };
  for (const [name, env] of Object.entries(all)) await stack.restart(name, env);
  return {
    books,
    custody: books.custody,
    faultPointsFile,
    isRunning,
    start: (name, env) => stack.start(name, { ...times, ...env }),
    stop: stack.stop,
    flushRedis: () => flushRedis(stack.urls.redis),
    ask: (text, values) => books.ask(text, values),
    askChain: (method, params) => books.askChain(method, params),
    giveBack: async () => {
      await books.custody.clearFaults();
      await books.close();
      for (const name of Object.keys(all)) await stack.restart(name);
    },
  };
}
