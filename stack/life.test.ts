import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { PROJECT_ROOT } from './project-root.ts';
import { waitUntil } from './wait-until.ts';

const MODULE = JSON.stringify(pathToFileURL(join(PROJECT_ROOT, 'stack', 'life.mjs')).href);
const PROGRAM = `
  const { watchLife } = await import(${MODULE});
  const life = watchLife({ log: console.log });
  life.onStop({ stop: () => console.log('first in, last out') });
  life.onStop({ stop: () => console.log('last in, first out') });
  setInterval(() => undefined, 1000);
  if (process.argv.includes('ready')) life.isReady();
  if (process.argv.includes('stuck')) life.onStop({ stop: () => new Promise(() => undefined), force: () => console.log('forced') });
  if (process.argv.includes('broken')) life.onStop({ stop: () => { throw new Error('cannot stop'); } });
  console.log('up');`;

test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
  '%s stops everything, the last first, and succeeds once ready',
  async (signal) => {
    const program = await run('ready');
    program.child.kill(signal);
    expect(await program.code).toBe(0);
    expect(program.lines()).toEqual(['up', `${signal}: stopping`, 'last in, first out', 'first in, last out']);
  },
);

test('a start that is stopped half way has not succeeded', async () => {
  const program = await run('starting');
  program.child.kill('SIGTERM');
  expect(await program.code).toBe(143);
});

test('what cannot be stopped does not keep the rest from stopping', async () => {
  const program = await run('ready', 'broken');
  program.child.kill('SIGTERM');
  expect(await program.code).toBe(0);
  expect(program.lines()).toContain('while stopping: cannot stop');
  expect(program.lines().at(-1)).toBe('first in, last out');
});

test('a later second signal forces; the doubled one of a single Ctrl-C does not', async () => {
  const program = await run('ready', 'stuck');
  program.child.kill('SIGINT');
  program.child.kill('SIGINT');
  await waitUntil(() => program.lines().includes('SIGINT: stopping'), { what: 'no stop', withinMs: 5_000 });
  expect(program.lines()).not.toContain('forced');
  const since = performance.now();
  await waitUntil(() => performance.now() - since > 1_100, { what: 'a second passed', withinMs: 5_000 });
  program.child.kill('SIGINT');
  expect(await program.code).toBe(1);
  expect(program.lines()).toContain('forced');
});

test('an orphan stops', async () => {
  // The shell dies at once and leaves the program to init.
  const shell = spawn('sh', [
    '-c',
    '"$0" --input-type=module --eval "$1" ready & sleep 1; kill -9 $$',
    process.execPath,
    PROGRAM,
  ]);
  let output = '';
  shell.stdout.on('data', (chunk) => {
    output += chunk;
  });
  await once(shell.stdout, 'close');
  expect(output).toContain('the parent process is gone: stopping\nlast in, first out\nfirst in, last out');
});

async function run(...words: string[]) {
  const child: ChildProcessByStdio<null, Readable, null> = spawn(
    process.execPath,
    ['--input-type=module', '--eval', PROGRAM, '--', ...words],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  const code = once(child, 'close').then(([ended]) => ended);
  const lines = () => output.trim().split('\n');
  await waitUntil(() => lines().includes('up'), { what: 'the program was not up', withinMs: 10_000 });
  return { child, code, lines };
}
