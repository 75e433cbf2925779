import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { DEMO_PASSWORD, DEMO_PEOPLE, demoEmail } from '#server/auth/demo-people.ts';
import { type BuildPlace, isBuildFresh } from './build-product.ts';
import { findLockHolder, tryFileLock } from './file-lock.mjs';
import { forgetState } from './forget-state.ts';
import type { Life } from './life.mjs';
import { PROJECT_ROOT } from './project-root.ts';
import { type StackMode, type StackOptions, startStack } from './start-stack.ts';
import { readNamedPorts } from './state-folder.ts';
import { withdrawOnce } from './withdraw-once.ts';

type Deps = { life: Life; log: (line: string) => void };

const STATE = join(PROJECT_ROOT, '.state');
const CHECK_STATE = join(PROJECT_ROOT, '.state-check');
const WEB_PORT = 3000;

/**
 * `npm start` and `npm run dev`: brings everything up and stays until it is stopped; with `--check` drives one
 * withdrawal through it and ends.
 */
export async function startCommand(deps: Deps, input: { args: string[]; env: NodeJS.ProcessEnv }): Promise<void> {
  const { values: options } = parseArgs({
    args: input.args,
    options: { fresh: { type: 'boolean' }, check: { type: 'boolean' }, dev: { type: 'boolean' } },
  });
  if (options.check) return check(deps);
  return stay(deps, { isDev: options.dev ?? false, isFresh: options.fresh ?? false, env: input.env });
}

async function stay(deps: Deps, input: { isDev: boolean; isFresh: boolean; env: NodeJS.ProcessEnv }): Promise<void> {
  const { life, log } = deps;
  takeStateFolder(deps, STATE);
  if (input.isFresh && (input.env.DATABASE_URL || input.env.CUSTODY_DATABASE_URL)) {
    throw new Error(
      '--fresh forgets what lies in the state folder, and DATABASE_URL names a database elsewhere: empty it by hand',
    );
  }
  if (input.isFresh) await forgetState(STATE);
  const stack = await startStack(deps, {
    stateFolder: STATE,
    mode: input.isDev ? { kind: 'development', nextDistDir: '.next-dev' } : { kind: 'production', ...START_BUILD },
    namedPorts: { web: WEB_PORT, ...readNamedPorts(input.env) },
    given: {
      databaseUrl: input.env.DATABASE_URL,
      custodyDatabaseUrl: input.env.CUSTODY_DATABASE_URL,
      redisUrl: input.env.REDIS_URL,
    },
    onUnexpectedExit: endWithIt(deps),
  });
  life.isReady();
  log(`ready; logs and data are in ${STATE}, Ctrl-C stops everything`);
  const people = DEMO_PEOPLE.map(({ who, role }) => `  ${role.padEnd(11)} ${demoEmail(who)}`).join('\n');
  console.log(`
  CryptoEx Withdrawals   ${stack.urls.web}

${people}
  password    ${DEMO_PASSWORD}   (or one press on the sign-in page, which asks the staff for no code)
`);
}

async function check(deps: Deps): Promise<void> {
  takeStateFolder(deps, CHECK_STATE);
  await forgetState(CHECK_STATE);
  const stack = await startStack(deps, {
    stateFolder: CHECK_STATE,
    mode: chooseCheckBuild(),
    onUnexpectedExit: endWithIt(deps),
  });
  const done = await withdrawOnce({ webUrl: stack.urls.web, custodyUrl: stack.urls.custody });
  console.log(
    `withdrawal ${done.withdrawalId} completed: 1 transfer, tx ${done.transactionHash}, ${done.durationMs} ms`,
  );
  await stack.end();
  await forgetState(CHECK_STATE);
  await deps.life.end(0);
}

const START_BUILD: BuildPlace = { buildFolder: '.build', nextDistDir: '.next' };

/** A started stack reads its pages from the build it started with: what it stands on is not built over. */
function chooseCheckBuild(): StackMode {
  const isInUse = findLockHolder(lockOf(STATE)) !== undefined;
  const place =
    isInUse && !isBuildFresh(START_BUILD) ? { buildFolder: '.build-check', nextDistDir: '.next-check' } : START_BUILD;
  return { kind: 'production', ...place };
}

/** One stack for each state folder. @throws when another lives on it */
function takeStateFolder({ life }: Deps, stateFolder: string): void {
  const lock = tryFileLock(lockOf(stateFolder));
  if (lock.kind === 'held')
    throw new Error(`a stack runs on ${stateFolder} already (process ${lock.by.pid}): stop it first`);
  life.onStop({ stop: lock.release });
}

/** Beside the folder and not in it: `--fresh` deletes the folder while we hold the lock. */
function lockOf(stateFolder: string): string {
  return join(PROJECT_ROOT, '.build', `${stateFolder.split('/').at(-1)}.lock`);
}

/** Without one of its parts the system is not what was promised: everything ends, with the reason. */
function endWithIt({ life, log }: Deps): StackOptions['onUnexpectedExit'] {
  return (name, reason) => {
    log(`${name} ${reason}; its log is in the state folder`);
    void life.end(1);
  };
}
