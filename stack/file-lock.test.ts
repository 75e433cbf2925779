import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findLockHolder, tryFileLock, withFileLock } from './file-lock.mjs';
import { identifyProcess } from './process-identity.mjs';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'file-lock-'));
  path = join(folder, 'deep', 'lock');
});
afterEach(() => rmSync(folder, { recursive: true }));

test('one holds the lock and the next is told who', () => {
  expect(tryFileLock(path).kind).toBe('taken');
  expect(tryFileLock(path)).toMatchObject({ kind: 'held', by: { pid: process.pid } });
  expect(findLockHolder(path)?.pid).toBe(process.pid);
});

test('a released lock belongs to nobody', () => {
  const lock = tryFileLock(path);
  if (lock.kind === 'taken') lock.release();
  expect(findLockHolder(path)).toBeUndefined();
  expect(tryFileLock(path).kind).toBe('taken');
});

test('the lock of a process that ended is taken over', () => {
  const { pid } = spawnSync(process.execPath, ['--version']);
  tryFileLock(path);
  writeFileSync(path, JSON.stringify({ pid, startedAt: '1' }));
  expect(tryFileLock(path).kind).toBe('taken');
});

test('the lock of a pid that now names another process is taken over', () => {
  tryFileLock(path);
  writeFileSync(path, JSON.stringify({ ...identifyProcess(process.pid), startedAt: 'earlier' }));
  expect(tryFileLock(path).kind).toBe('taken');
});

test('work under a lock waits for the work before it', async () => {
  const done: string[] = [];
  const first = tryFileLock(path);
  const second = withFileLock(
    {
      path,
      signal: new AbortController().signal,
      onWait: () => {
        done.push('waiting');
        if (first.kind === 'taken') first.release();
      },
    },
    async () => done.push('second'),
  );
  await second;
  expect(done).toEqual(['waiting', 'second']);
});
