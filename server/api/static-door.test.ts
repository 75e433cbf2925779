import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createStaticDoor } from '#server/api/static-door.ts';

const SCRIPT = 'console.log("once");'.repeat(100);
let folder: string;
let server: Server;
let origin: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'static-door-'));
  await mkdir(join(folder, 'static', 'chunks'), { recursive: true });
  await writeFile(join(folder, 'static', 'chunks', 'a.js'), SCRIPT);
  await writeFile(join(folder, 'static', 'chunks', 'a.js.br'), brotliCompressSync(SCRIPT));
  await writeFile(join(folder, 'static', 'chunks', 'b.js'), SCRIPT);
  await writeFile(join(folder, 'secret.js.br'), 'secret');
  const door = await createStaticDoor(folder);
  server = createServer((request, response) => {
    if (!door(request, response, (request.url ?? '').split('?')[0] ?? '')) response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  origin = `http://127.0.0.1:${port}`;
});

afterAll(async () => {
  server.close();
  await rm(folder, { recursive: true });
});

it('serves the compressed twin, to be kept for ever', async () => {
  const answer = await fetch(`${origin}/_next/static/chunks/a.js`, { headers: { 'accept-encoding': 'gzip, br' } });
  expect(answer.headers.get('content-encoding')).toBe('br');
  expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  expect(Number(answer.headers.get('content-length'))).toBe(
    (await readFile(join(folder, 'static/chunks/a.js.br'))).length,
  );
  expect(await answer.text()).toBe(SCRIPT);
});

it.each(['gzip', 'br;q=0', 'br;q=0.0, gzip', 'identity'])('leaves %s to others', async (accepted) => {
  const answer = await fetch(`${origin}/_next/static/chunks/a.js`, { headers: { 'accept-encoding': accepted } });
  expect(answer.status).toBe(404);
});

it.each(['chunks/b.js', 'chunks/a.js.br', '../secret.js', '%2e%2e/secret.js', 'chunks/missing.js'])(
  'has no %s',
  async (name) => {
    const answer = await fetch(`${origin}/_next/static/${name}`, { headers: { 'accept-encoding': 'br' } });
    expect(answer.status).toBe(404);
  },
);
