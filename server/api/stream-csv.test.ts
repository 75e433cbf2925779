import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, expect, test, vi } from 'vitest';
import { refuse } from '#domain/refusal.ts';
import { RefusalError } from '#server/api/refusal-to-trpc.ts';
import { type CsvSource, streamCsv } from '#server/api/stream-csv.ts';

type Row = { n: string; text: string };

let server: Server | undefined;

afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

const passing = { run: <Result>(_line: string, work: () => Promise<Result>) => work() };

/** Asks for the file over a real connection. */
async function ask(
  source: Pick<CsvSource<Row>, 'read' | 'rowsMax' | 'writeDown'>,
  gate: Parameters<typeof streamCsv>[0]['gate'] = passing,
): Promise<IncomingMessage> {
  const opened = createServer((_request, response) => {
    streamCsv(
      { gate },
      { response, userId: 'alice' },
      { name: 'rows', columns: ['n', 'text'] as const, ...source },
    ).catch(() => response.destroy());
  });
  server = opened;
  await new Promise<void>((resolve) => opened.listen(0, '127.0.0.1', resolve));
  const { port } = opened.address() as AddressInfo;
  const [answer] = await once(get({ port, host: '127.0.0.1' }), 'response');
  return answer;
}

/** So many pages of so many rows; the cursor is the number of the last row. */
function pagesOf(count: number, size: number, fill = 'x') {
  return vi.fn(async (cursor: string | null) => {
    const from = cursor === null ? 0 : Number(cursor);
    const items = Array.from({ length: size }, (_, index) => ({ n: String(from + index + 1), text: fill }));
    return { items, nextCursor: from + size < count * size ? String(from + size) : null };
  });
}

test('every page comes once, under one line of names', async () => {
  const lines = (await text(await ask({ read: pagesOf(3, 2) }))).split('\r\n');
  expect(lines).toEqual(['n,text', '1,x', '2,x', '3,x', '4,x', '5,x', '6,x', '']);
});

test('a file that is too long says so in its last line, and one that fits exactly does not', async () => {
  const cut = (await text(await ask({ read: pagesOf(3, 2), rowsMax: 3 }))).split('\r\n');
  expect(cut.slice(3)).toEqual(['3,x', 'This file ends after 3 rows. There are more: narrow the filters.', '']);
  server?.close();
  expect(await text(await ask({ read: pagesOf(3, 2), rowsMax: 6 }))).not.toContain('ends after');
});

test('the next page is not read before the reader took what was there, and none once the reader has gone', async () => {
  const read = pagesOf(1_000, 100, 'x'.repeat(10_000));
  const answer = await ask({ read });
  answer.pause();
  // A megabyte a page: what the sockets hold is full after a few.
  await vi.waitFor(() => expect(read.mock.calls.length).toBeGreaterThan(1));
  let seen = -1;
  await vi.waitFor(() => {
    const before = seen;
    seen = read.mock.calls.length;
    expect(seen).toBe(before);
  });
  expect(seen).toBeLessThan(50);
  answer.destroy();
  await vi.waitFor(async () => {
    const connections = await new Promise((resolve) => server?.getConnections((_error, count) => resolve(count)));
    expect(connections).toBe(0);
  });
  expect(read.mock.calls.length).toBeLessThanOrEqual(seen + 1);
});

test('each page waits in the line of the person, and a full line is said before the file begins', async () => {
  const lines: string[] = [];
  const gate = {
    run: <Result>(line: string, work: () => Promise<Result>) => {
      lines.push(line);
      return work();
    },
  };
  await text(await ask({ read: pagesOf(3, 2) }, gate));
  expect(lines).toEqual(['look alice', 'look alice', 'look alice']);
  server?.close();
  const full = await ask(
    { read: pagesOf(1, 1) },
    { run: () => Promise.reject(new RefusalError(refuse('rate_limited'))) },
  );
  expect(full.statusCode).toBe(429);
  expect(await text(full)).toContain('rate_limited');
});

test('a page that fails breaks the connection: half a file is not taken for a whole one', async () => {
  const good = pagesOf(3, 2);
  const read = (cursor: string | null) => (cursor === null ? good(null) : Promise.reject(new Error('database')));
  await expect(text(await ask({ read }))).rejects.toThrow('aborted');
});

test('a file that cannot be written down does not leave', async () => {
  const writeDown = () => Promise.reject(new RefusalError(refuse('service_unavailable')));
  const refused = await ask({ read: pagesOf(3, 2), writeDown });
  expect(refused.statusCode).toBe(503);
  expect(await text(refused)).not.toContain('1,x');
});
