import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import pg from 'pg';
import { z } from 'zod';
import { openQueue } from '../pipeline/peer-queues.ts';
import { holdClaim } from './hold-claim.ts';
import { PEER_FAILED, PEER_READ, PEER_SUBMITTED } from './peer.sql.ts';

// A worker as somebody writes it who has read what queue and provider advise: one key for ever, the same bytes at each try, a
// time-out longer than the provider's, "duplicate" read as success and a final refusal as an end; everything else is tried again.
const {
  DATABASE_URL: url = '',
  REDIS_URL: redisUrl = '',
  QUEUE: queueName = '',
  PORT: port = '',
  CUSTODY_URL: custody = '',
  CUSTODY_API_KEY: apiKey = '',
  CLAIM: claims = '',
} = process.env;
const TIMEOUT_MS = 1_200;
const CONCURRENCY = 20;
/** Reasons that no further try would change. */
const FINAL = new Set(['address_rejected', 'asset_not_supported', 'amount_too_small']);

const pool = new pg.Pool({ connectionString: url, max: 16, connectionTimeoutMillis: 3_000 });
pool.on('error', () => undefined);
const redis = claims === '1' ? new Redis(redisUrl, { maxRetriesPerRequest: null }) : null;
redis?.on('error', () => undefined);
const answerSchema = z.object({
  id: z.string().optional(),
  transferId: z.string().nullish(),
  code: z.string().optional(),
});

const queue = await openQueue(queueName, { url, redisUrl, pool, isPatient: true });
await queue.work(CONCURRENCY, (id) => (redis === null ? send(id) : holdClaim(redis, id, () => send(id))));
createServer((_request, response) => response.writeHead(200).end('ready')).listen(Number(port), '127.0.0.1');

async function send(id: string): Promise<void> {
  const { rows } = await pool.query({ name: 'peer_read', text: PEER_READ, values: [id] });
  const [row] = rows;
  if (row === undefined) return;
  const { key, ...meaning } = row;
  const response = await fetch(`${custody}/v1/transfers`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json', 'idempotency-key': key },
    body: JSON.stringify({ externalId: key, memo: null, ...meaning }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  const answer = answerSchema.parse(await response.json());
  if (response.ok && answer.id !== undefined) return await write(PEER_SUBMITTED, [id, answer.id]);
  if (answer.code === 'duplicate_reference' && answer.transferId)
    return await write(PEER_SUBMITTED, [id, answer.transferId]);
  if (FINAL.has(answer.code ?? '')) return await write(PEER_FAILED, [id]);
  const retryAfter = Number(response.headers.get('retry-after') ?? 0);
  if (retryAfter > 0) await sleep(Math.min(retryAfter * 1_000, TIMEOUT_MS));
  throw new Error(`custody answered ${response.status} ${answer.code ?? ''}`);
}

async function write(text: string, values: readonly string[]): Promise<void> {
  await pool.query({ text, values: [...values] });
}
