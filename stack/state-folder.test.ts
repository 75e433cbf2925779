import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { choosePorts, findFreePort, readNamedPorts, readSecrets } from './state-folder.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'state-folder-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

test('secrets are made once and readable by nobody else', () => {
  const made = readSecrets(folder);
  expect(readSecrets(folder)).toEqual(made);
  expect(made.webhookSecret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(statSync(join(folder, 'secrets.json')).mode & 0o077).toBe(0);
});

test('a folder from before there was a secret gets that one, and keeps the others', () => {
  const { statementKey, ...older } = readSecrets(folder);
  writeFileSync(join(folder, 'secrets.json'), JSON.stringify(older));
  const made = readSecrets(folder);
  expect(made).toMatchObject(older);
  expect(made.statementKey.signs).not.toBe(statementKey.signs);
  expect(readSecrets(folder)).toEqual(made);
});

test('chosen ports are all different and the same the next time', async () => {
  const chosen = await choosePorts(folder, {});
  expect(new Set(Object.values(chosen)).size).toBe(Object.values(chosen).length);
  expect(await choosePorts(folder, {})).toEqual(chosen);
});

test('a port named by the caller is used', async () => {
  const web = await findFreePort();
  expect((await choosePorts(folder, { web })).web).toBe(web);
});

test('a named port that is taken is an error that names it and its variable', async () => {
  const { server, port } = await occupyPort();
  await expect(choosePorts(folder, { web: port })).rejects.toThrow(
    `port ${port} for web is taken; set PORT to another`,
  );
  server.close();
});

test('a kept port that somebody else has taken is replaced', async () => {
  const { redis } = await choosePorts(folder, {});
  const { server } = await occupyPort(redis);
  expect((await choosePorts(folder, {})).redis).not.toBe(redis);
  server.close();
});

test('ports are named by variables, and an empty one names nothing', () => {
  expect(readNamedPorts({ NODE_ENV: 'test', PORT: '3100', REDIS_PORT: '' })).toEqual({ web: 3100 });
});

test.each(['0', '65536', '3000.5', 'web'])('PORT=%s is refused', (PORT) => {
  expect(() => readNamedPorts({ NODE_ENV: 'test', PORT })).toThrow(`PORT=${PORT} is no port`);
});

test.each(['1', '65535'])('PORT=%s is a port', (PORT) => {
  expect(readNamedPorts({ NODE_ENV: 'test', PORT })).toEqual({ web: Number(PORT) });
});

async function occupyPort(port?: number): Promise<{ server: Server; port: number }> {
  const taken = port ?? (await findFreePort());
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(taken, '127.0.0.1', resolve));
  return { server, port: taken };
}
