import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { answerMetrics } from '#server/operator/answer-metrics.ts';

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

async function open(token: string | null, refresh = async () => undefined) {
  const server = createServer((request, response) => void answerMetrics({ refresh, token }, { request, response }));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => server.close());
  const { port } = server.address() as AddressInfo;
  return (headers: Record<string, string> = {}) => fetch(`http://127.0.0.1:${port}/metrics`, { headers });
}

test('this machine reads the metrics without a token', async () => {
  const answer = await (await open(null))();
  expect(answer.status).toBe(200);
  expect(await answer.text()).toContain('withdrawal_requests_total');
});

const PROXIED: Record<string, string>[] = [{ 'x-forwarded-for': '203.0.113.7' }, { forwarded: 'for=203.0.113.7' }];

test.each(PROXIED)('whoever comes through a proxy (%o) finds nothing', async (headers) => {
  expect((await (await open(null))(headers)).status).toBe(404);
});

test('with a token only its bearer reads them, this machine included', async () => {
  const ask = await open('correct');
  expect((await ask()).status).toBe(404);
  expect((await ask({ authorization: 'Bearer wrong' })).status).toBe(404);
  expect((await ask({ authorization: 'Bearer correct', 'x-forwarded-for': '203.0.113.7' })).status).toBe(200);
});

test('a database that cannot be read hides nothing of the process itself', async () => {
  const ask = await open(null, () => Promise.reject(new Error('gone')));
  expect((await ask()).status).toBe(200);
});
