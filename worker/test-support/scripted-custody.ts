import { createHash, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';

/** What the scripted provider does with a create, before and after it makes the transfer. */
export type CreateScript =
  | 'accept'
  | 'accept_then_drop'
  | 'accept_then_502'
  | 'accept_then_hang'
  | 'accept_then_html'
  | 'accept_other_amount'
  | 'drop'
  | 'hang'
  | '500'
  | 'maintenance'
  /** One copy is told to come back; another is carried out when `repeatNow` is called. */
  | 'maintenance_then_repeated'
  | 'rate_limited'
  | 'unauthorized'
  | 'short_of_funds'
  | 'refuse_and_keep'
  | 'refuse_and_forget'
  | 'expired'
  | 'redirect';

export interface ScriptedTransfer {
  readonly id: string;
  readonly externalId: string;
  readonly asset: string;
  readonly network: string;
  readonly address: string;
  readonly memo: string | null;
  readonly amount: string;
  status: string;
  failureCode: string | null;
  final: boolean;
  transactions: { hash: string; nonce: number; status: string; signedAt: string }[];
  readonly createdAt: string;
  readonly updatedAt: string;
}

export interface SeenCreate {
  readonly key: string;
  readonly externalId: string;
  readonly bodySha256: string;
  readonly body: string;
  readonly traceparent?: string;
}

const createSchema = z.object({
  externalId: z.string(),
  asset: z.string(),
  network: z.string(),
  address: z.string(),
  memo: z.string().nullable(),
  amount: z.string(),
  notAfter: z.string(),
});

/** A provider whose every answer a test decides. It keeps references for ever, and counts every request that reached it. */
export class ScriptedCustody {
  readonly creates: SeenCreate[] = [];
  readonly transfers = new Map<string, ScriptedTransfer>();
  /** What becomes of the next creates, in order; after the last one everything is accepted. */
  script: CreateScript[] = [];
  lookUps: 'normal' | 'fail' | 'empty' | 'forgets_all' = 'normal';
  /** Runs after a create was seen and before it is answered. */
  beforeAnswer: (seen: SeenCreate) => Promise<void> = () => Promise.resolve();
  /** Runs when a list is asked for, before custody's clock is written into the answer. */
  beforeLookUp: (reference: string | null) => void = () => undefined;
  pageSize = 200;
  balances: object[] = [];
  /** The list is this transfer so many times, each under a reference of its own, made page by page. */
  endless: { readonly total: number; readonly transfer: ScriptedTransfer } | null = null;
  clockOffsetMs = 0;
  /** Carries out the copies of requests that a proxy still holds back. */
  repeatNow: () => void = () => undefined;
  capabilities = {
    profile: 'scripted',
    referenceKept: true,
    searchableByReference: true,
    notAfterHonoured: true,
    refusalsKept: true,
    duplicateCheckFirst: true,
    requestsNeverRepeated: false,
    keyWindowSeconds: 86_400,
    readLagMs: 0,
    maxRequestMs: 300,
  };
  private readonly server: Server;

  constructor() {
    this.server = createServer((request, response) => {
      this.answer(request, response).catch(() => response.destroy());
    });
  }

  async start(port = 0): Promise<void> {
    await new Promise<void>((resolve) => this.server.listen(port, '127.0.0.1', resolve));
  }

  get url(): string {
    const address = this.server.address() as AddressInfo;
    return `http://127.0.0.1:${address.port}`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise<void>((resolve) => this.server.close(() => resolve()));
  }

  /** Transfers that were really made. */
  get made(): ScriptedTransfer[] {
    return [...this.transfers.values()].filter((transfer) => transfer.status !== 'refused');
  }

  transferOf(reference: string): ScriptedTransfer {
    const transfer = this.transfers.get(reference);
    if (transfer === undefined) throw new Error(`no transfer under ${reference}`);
    return transfer;
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.setHeader('date', new Date(Date.now() + this.clockOffsetMs).toUTCString());
    const url = new URL(request.url ?? '/', 'http://custody');
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    if (url.pathname === '/v1/capabilities') return json(response, 200, this.capabilities);
    if (url.pathname === '/v1/balances') return json(response, 200, { data: this.balances });
    if (request.method === 'POST') return await this.create(request, response, Buffer.concat(chunks));
    if (this.lookUps === 'fail') return json(response, 500, { code: 'internal_error' });
    const reference = url.searchParams.get('externalId');
    this.beforeLookUp(reference);
    response.setHeader('date', new Date(Date.now() + this.clockOffsetMs).toUTCString());
    const all = this.lookUps === 'normal' ? [...this.transfers.values()] : [];
    if (this.lookUps === 'empty' && reference === null) return json(response, 200, { data: [], nextCursor: null });
    if (reference !== null)
      return json(response, 200, { data: all.filter((transfer) => transfer.externalId === reference) });
    const from = Number(url.searchParams.get('cursor') ?? 0);
    const { endless, pageSize } = this;
    const total = endless?.total ?? all.length;
    const data = endless === null ? all.slice(from, from + pageSize) : pageOf(endless, from, pageSize);
    json(response, 200, { data, nextCursor: from + pageSize < total ? String(from + pageSize) : null });
  }

  private async create(request: IncomingMessage, response: ServerResponse, body: Buffer): Promise<void> {
    const wish = createSchema.parse(JSON.parse(body.toString('utf8')));
    const bodySha256 = createHash('sha256').update(body).digest('hex');
    const key = String(request.headers['idempotency-key']);
    const { traceparent } = request.headers;
    const seen = {
      key,
      externalId: wish.externalId,
      bodySha256,
      body: body.toString('utf8'),
      ...(typeof traceparent === 'string' && { traceparent }),
    };
    this.creates.push(seen);
    const script = this.script.shift() ?? 'accept';
    await this.beforeAnswer(seen);
    switch (script) {
      case 'drop':
        return void request.socket.destroy();
      case 'hang':
        return;
      case '500':
        return json(response, 500, { code: 'internal_error' });
      case 'maintenance_then_repeated':
        this.repeatNow = () => void (this.transfers.has(wish.externalId) || this.make(wish, 'accepted'));
        return json(response, 503, { code: 'maintenance' }, { 'retry-after': '0' });
      case 'maintenance':
        return json(response, 503, { code: 'maintenance' }, { 'retry-after': '0' });
      case 'rate_limited':
        return json(response, 429, { code: 'rate_limited' }, { 'retry-after': '0' });
      case 'unauthorized':
        return json(response, 401, { code: 'unauthorized' });
      case 'short_of_funds':
        return json(response, 422, { code: 'insufficient_hot_wallet_funds' });
      case 'expired':
        return json(response, 410, { code: 'expired' });
      case 'redirect':
        return json(response, 307, {}, { location: '/v1/elsewhere' });
      case 'refuse_and_keep':
      case 'refuse_and_forget':
        if (script === 'refuse_and_keep') this.make(wish, 'refused').failureCode = 'address_rejected';
        return json(response, 422, { code: 'address_rejected', externalId: wish.externalId, detail: 'no' });
      case 'accept_other_amount':
        return json(response, 201, { ...this.make(wish, 'accepted'), amount: '1' });
      case 'accept':
      case 'accept_then_drop':
      case 'accept_then_502':
      case 'accept_then_hang':
      case 'accept_then_html': {
        const known = this.transfers.get(wish.externalId);
        const transfer = known ?? this.make(wish, 'accepted');
        if (script === 'accept_then_drop') return void request.socket.destroy();
        if (script === 'accept_then_hang') return;
        if (script === 'accept_then_502') return json(response, 502, {});
        if (script === 'accept_then_html') return void response.writeHead(200).end('<html>ok</html>');
        return json(response, known === undefined ? 201 : 200, transfer);
      }
    }
  }

  private make(wish: z.infer<typeof createSchema>, status: string): ScriptedTransfer {
    const now = new Date(Date.now() + this.clockOffsetMs).toISOString();
    const transfer: ScriptedTransfer = {
      id: `tr_${randomUUID()}`,
      externalId: wish.externalId,
      asset: wish.asset,
      network: wish.network,
      address: wish.address,
      memo: wish.memo,
      amount: wish.amount,
      status,
      failureCode: null,
      final: status === 'refused',
      transactions: [],
      createdAt: now,
      updatedAt: now,
    };
    this.transfers.set(wish.externalId, transfer);
    return transfer;
  }
}

function pageOf(list: { total: number; transfer: ScriptedTransfer }, from: number, size: number): ScriptedTransfer[] {
  return Array.from({ length: Math.min(size, list.total - from) }, (_, index) => {
    const number = String(from + index).padStart(12, '0');
    return { ...list.transfer, id: `tr_${number}`, externalId: `00000000-0000-4000-8000-${number}` };
  });
}

function json(response: ServerResponse, status: number, body: object, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}
