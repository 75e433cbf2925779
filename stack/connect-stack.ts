import { readFileSync } from 'node:fs';
import type { ControlAnswer, ControlOrder } from './control-order.ts';
import type { ProcessState } from './processes.ts';
import type { Environment } from './product-environment.ts';
import type { StackUrls } from './start-stack.ts';

/** What the file named by STACK_FILE holds. */
export type StackFile = {
  urls: StackUrls;
  /** What web was told: a test may call our own verbs with it. */
  env: Environment;
  stateFolder: string;
  control: { url: string; token: string };
};

type Signal = Extract<ControlOrder, { deed: 'kill' }>['signal'];

export type ConnectedStack = StackFile & {
  processes: () => Promise<ProcessState[]>;
  /** Resolves when it is ready. Further workers are `worker-2`, `worker-3`; `env` goes over what the stack would say. */
  start: (name: string, env?: Environment) => Promise<void>;
  /** Asks it to end and waits. */
  stop: (name: string) => Promise<void>;
  restart: (name: string, env?: Environment) => Promise<void>;
  /** SIGKILL by default, and then resolves when it is gone. SIGSTOP and SIGCONT freeze and thaw. */
  kill: (name: string, signal?: Signal) => Promise<void>;
};

/**
 * The running stack, for a test in another process.
 * Names: postgres, custody-postgres, redis, chain, custody, web, worker, and web-N, worker-N.
 *
 * @param file default: the one that STACK_FILE names
 */
export function connectStack(file: string | undefined = process.env.STACK_FILE): ConnectedStack {
  if (!file) throw new Error('STACK_FILE is missing: these tests run against a stack, see stack/test.mjs');
  const stack: StackFile = JSON.parse(readFileSync(file, 'utf8'));
  const order = async (sent: ControlOrder): Promise<ProcessState[]> => {
    const response = await fetch(stack.control.url, {
      method: 'POST',
      headers: { authorization: `Bearer ${stack.control.token}` },
      body: JSON.stringify(sent),
    });
    const answer = (await response.json()) as ControlAnswer;
    if (!answer.ok) throw new Error(`${sent.deed} ${'name' in sent ? sent.name : ''}: ${answer.reason}`);
    return answer.processes;
  };
  const start = async (name: string, env: Environment = {}): Promise<void> => {
    await order({ deed: 'start', name, env });
  };
  const stop = async (name: string): Promise<void> => {
    await order({ deed: 'stop', name });
  };
  return {
    ...stack,
    processes: () => order({ deed: 'list' }),
    start,
    stop,
    restart: async (name, env) => {
      await stop(name);
      await start(name, env);
    },
    kill: async (name, signal = 'SIGKILL') => {
      await order({ deed: 'kill', name, signal });
    },
  };
}
