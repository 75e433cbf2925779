import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { identifyProcess } from './process-identity.mjs';
import { endLeftovers } from './process-records.ts';
import { keepProcesses, type Processes, type ProcessSpec } from './processes.ts';
import { waitUntil } from './wait-until.ts';

let stateFolder: string;
let aborted: AbortController;
let exits: string[];
let processes: Processes;
beforeEach(() => {
  stateFolder = mkdtempSync(join(tmpdir(), 'processes-'));
  aborted = new AbortController();
  exits = [];
  processes = keepProcesses({
    stateFolder,
    signal: aborted.signal,
    onUnexpectedExit: (name, reason) => exits.push(`${name} ${reason}`),
  });
});
afterEach(async () => {
  await Promise.all(processes.list().map(({ name }) => processes.stop(name)));
  rmSync(stateFolder, { recursive: true });
});

const STAYS = 'setInterval(() => undefined, 1000); console.log("here")';

test('a process that is asked to end is gone, and nobody is alarmed', async () => {
  await processes.start(spec(STAYS));
  const pid = onlyPid();
  await processes.stop('part');
  expect(identifyProcess(pid)).toBeUndefined();
  expect(exits).toEqual([]);
});

test('a process that does not listen is killed', async () => {
  await processes.start({ ...spec(`process.on('SIGTERM', () => undefined); ${STAYS}`), stopWithinMs: 200 });
  const pid = onlyPid();
  await processes.stop('part');
  expect(identifyProcess(pid)).toBeUndefined();
});

test('a frozen process can be stopped', async () => {
  await processes.start(spec(STAYS));
  await processes.kill('part', 'SIGSTOP');
  await processes.stop('part');
  expect(processes.list()).toMatchObject([{ name: 'part', state: 'ended' }]);
});

test('a killed process is gone when kill returns, and can be started again', async () => {
  await processes.start(spec(STAYS));
  const first = onlyPid();
  await processes.kill('part', 'SIGKILL');
  expect(identifyProcess(first)).toBeUndefined();
  await processes.start(spec(STAYS));
  expect(onlyPid()).not.toBe(first);
  expect(exits).toEqual([]);
});

test('a process that ends by itself is reported', async () => {
  await processes.start(spec('console.log("here"); setTimeout(() => process.exit(3), 300)'));
  await waitUntil(() => exits.length > 0, { what: 'no exit was reported', withinMs: 10_000 });
  expect(exits).toEqual(['part ended by itself (3)']);
});

test('one that ends before it is ready fails the start with its last lines', async () => {
  const dying = { ...spec('console.error("no database"); process.exit(1)'), isReady: async () => false };
  await expect(processes.start(dying)).rejects.toThrow(/part ended before it was ready[\s\S]*no database/);
});

test('one that is never ready fails the start after its time', async () => {
  const slow = { ...spec(STAYS), isReady: async () => false, readyWithinMs: 300 };
  await expect(processes.start(slow)).rejects.toThrow('part was not ready within 300 ms');
});

test('nothing is started once everything stops', async () => {
  aborted.abort(new Error('stopped'));
  await expect(processes.start(spec(STAYS))).rejects.toThrow('stopped');
  expect(processes.list()).toEqual([]);
});

test('what an earlier run left behind is ended, once', async () => {
  await processes.start(spec(STAYS));
  const pid = onlyPid();
  // We ourselves play the run that was killed: the records on disk are all that is left of it.
  expect(await endLeftovers(stateFolder)).toEqual(['part']);
  expect(identifyProcess(pid)).toBeUndefined();
  expect(await endLeftovers(stateFolder)).toEqual([]);
});

function spec(script: string): ProcessSpec {
  return {
    name: 'part',
    command: process.execPath,
    args: ['--eval', script],
    env: {},
    stopSignal: 'SIGTERM',
    stopWithinMs: 10_000,
    // Its handlers are set before it prints its line.
    isReady: async () => readFileSync(join(stateFolder, 'logs', 'part.log'), 'utf8').includes('here'),
    readyWithinMs: 10_000,
  };
}

function onlyPid(): number {
  const pid = processes.list()[0]?.pid;
  if (typeof pid !== 'number') throw new Error('no process runs');
  return pid;
}
