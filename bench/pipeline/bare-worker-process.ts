import { Agent, createServer, request } from 'node:http';
import pg from 'pg';
import { z } from 'zod';
import { BARE_READ, BARE_SUBMITTED } from './bare.sql.ts';
import { openQueue } from './peer-queues.ts';

// Read, send, write. What a crash between two of these lines does is nobody's concern here; that is what "bare" means. Custody
// gets a stable key and a permanent reference, as its documentation asks.
const {
  DATABASE_URL: url = '',
  REDIS_URL: redisUrl = '',
  QUEUE: queueName = '',
  PORT: port = '',
  CUSTODY_URL: custody = '',
} = process.env;
const pool = new pg.Pool({ connectionString: url, max: 16 });
const agent = new Agent({ keepAlive: true, maxSockets: 100 });
const CONCURRENCY = 50;
const answerSchema = z.object({ id: z.string() });

const queue = await openQueue(queueName, { url, redisUrl, pool });
await queue.work(CONCURRENCY, async (id) => {
  const { rows } = await pool.query({ name: 'bare_read', text: BARE_READ, values: [id] });
  const [row] = rows;
  if (row === undefined) return;
  const { idempotency_key: key, ...meaning } = row;
  const transfer = answerSchema.parse(await post(key, { externalId: key, ...meaning }));
  await pool.query({ name: 'bare_submitted', text: BARE_SUBMITTED, values: [id, transfer.id] });
});
createServer((_request, response) => response.writeHead(200).end('ready')).listen(Number(port), '127.0.0.1');

function post(key: string, body: object): Promise<unknown> {
  const text = JSON.stringify(body);
  const headers = {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
    'idempotency-key': key,
  };
  return new Promise((resolve, reject) => {
    const sent = request(`${custody}/v1/transfers`, { method: 'POST', agent, headers, timeout: 30_000 }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => resolve(JSON.parse(Buffer.concat(chunks).toString('utf8'))));
    });
    sent.on('error', reject);
    sent.end(text);
  });
}
