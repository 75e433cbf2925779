import { createHash, createHmac, randomUUID } from 'node:crypto';
import { Agent, createServer, type IncomingMessage, request as post, type ServerResponse } from 'node:http';
import { z } from 'zod';

// A provider for benchmarks: it keeps what it was asked for in memory, under a permanent reference, answers after as long as it
// is told to, and reports each transfer by a signed webhook. It pays nobody, so that nothing but the pipeline is measured.
const { PORT: port = '', WEBHOOK_URL: webhookUrl = '', WEBHOOK_SECRET: webhookSecret = '' } = process.env;
const signingKey = webhookSecret === '' ? null : Buffer.from(webhookSecret.replace(/^whsec_/, ''), 'base64');
const agent = new Agent({ keepAlive: true, maxSockets: 32 });
const requestSchema = z.object({
  externalId: z.string(),
  asset: z.string(),
  network: z.string(),
  address: z.string(),
  memo: z.string().nullish(),
  amount: z.string(),
});

interface Transfer extends z.infer<typeof requestSchema> {
  readonly id: string;
  readonly status: string;
  readonly failureCode: null;
  readonly final: boolean;
  readonly createdAt: string;
  readonly transactions: readonly { hash: string; nonce: number; status: string }[];
}

const transfers = new Map<string, Transfer>();
let delayMs = 0;

const server = createServer((request, response) => {
  answer(request, response).catch((error: unknown) => send(response, 500, { detail: String(error) }));
});
server.keepAliveTimeout = 65_000;
server.listen(Number(port), '127.0.0.1');

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://custody');
  if (request.method === 'PUT') {
    delayMs = Number(url.searchParams.get('ms'));
    return send(response, 200, { delayMs });
  }
  if (request.method === 'POST') return await create(request, response);
  switch (url.pathname) {
    case '/v1/transfers':
      return send(response, 200, list(url.searchParams));
    case '/v1/balances':
      return send(response, 200, { data: [] });
    case '/v1/capabilities':
      return send(response, 200, {
        referenceKept: true,
        searchableByReference: true,
        notAfterHonoured: true,
        refusalsKept: true,
        duplicateCheckFirst: true,
        requestsNeverRepeated: false,
        keyWindowSeconds: 86_400,
        readLagMs: 0,
        maxRequestMs: 5_000,
      });
    default:
      return send(response, 200, { ready: true });
  }
}

async function create(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const asked = requestSchema.parse(JSON.parse(Buffer.concat(chunks).toString('utf8')));
  const known = transfers.get(asked.externalId);
  const transfer = known ?? keep(asked);
  if (delayMs > 0) await new Promise((resolve) => setTimeout(resolve, delayMs));
  send(
    response,
    known === undefined ? 201 : 200,
    transfer,
    known === undefined ? {} : { 'idempotent-replayed': 'true' },
  );
  if (known === undefined && signingKey !== null) report(signingKey, transfer);
}

function keep(asked: z.infer<typeof requestSchema>): Transfer {
  const transfer = {
    ...asked,
    id: randomUUID(),
    status: 'accepted',
    failureCode: null,
    final: false,
    createdAt: new Date().toISOString(),
    transactions: [],
  };
  transfers.set(asked.externalId, transfer);
  return transfer;
}

/**
 * Once: whoever does not take it finds the transfer by asking. Signed and sent by what Node brings: a provider works on machines of its
 * own, and what it costs here is taken from whom it reports to.
 */
function report(key: Buffer, transfer: Transfer): void {
  const hash = `0x${createHash('sha256').update(transfer.id).digest('hex')}`;
  const broadcast = { ...transfer, status: 'broadcast', transactions: [{ hash, nonce: 1, status: 'broadcast' }] };
  transfers.set(transfer.externalId, broadcast);
  const at = new Date();
  const body = JSON.stringify({ type: 'transfer.broadcast', timestamp: at.toISOString(), data: broadcast });
  const id = `event_${transfer.id}`;
  const timestamp = String(Math.floor(at.getTime() / 1_000));
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  const headers = {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${signature}`,
  };
  post(webhookUrl, { method: 'POST', agent, headers }, (answer) => answer.resume())
    .on('error', () => undefined)
    .end(body);
}

function list(query: URLSearchParams): { data: readonly Transfer[]; nextCursor: null } {
  const reference = query.get('externalId');
  if (reference === null) return { data: [], nextCursor: null };
  const found = transfers.get(reference);
  return { data: found === undefined ? [] : [found], nextCursor: null };
}

function send(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void {
  const text = JSON.stringify(body);
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
    'x-request-id': randomUUID(),
    ...headers,
  });
  response.end(text);
}
