import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import pg from 'pg';
import { z } from 'zod';
import { BARE_ACCEPT } from './bare.sql.ts';
import { openQueue } from './peer-queues.ts';

// A door without sessions, guards or policy: it takes the customer's word for who asks. Faster than any door of a real product.
const { DATABASE_URL: url = '', REDIS_URL: redisUrl = '', QUEUE: queueName = '', PORT: port = '' } = process.env;
const pool = new pg.Pool({ connectionString: url, max: 16 });
pool.on('error', () => undefined);
const isPatient = process.env.PATIENT === '1';
const queue = await openQueue(queueName, { url, redisUrl, pool, isPatient });
const requestSchema = z.object({
  customer: z.uuid(),
  key: z.uuid(),
  asset: z.string(),
  network: z.string(),
  address: z.string(),
  amount: z.string(),
});

createServer(async (request, response) => {
  try {
    if (request.method === 'POST') await accept(request);
    response.writeHead(200, { 'content-length': 2 }).end('ok');
  } catch (error) {
    const text = String(error);
    response.writeHead(500, { 'content-length': Buffer.byteLength(text) }).end(text);
  }
}).listen(Number(port), '127.0.0.1');

async function accept(request: IncomingMessage): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const asked = requestSchema.parse(JSON.parse(Buffer.concat(chunks).toString('utf8')));
  const { key, customer, asset, network, address, amount } = asked;
  const values = [randomUUID(), key, customer, asset, network, address, amount];
  await queue.accept({ name: 'bare_accept', text: BARE_ACCEPT, values });
}
