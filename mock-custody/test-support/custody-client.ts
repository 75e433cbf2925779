import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import { wireSchemas } from '../http/wire-schemas.ts';

export type Transfer = z.infer<typeof wireSchemas.Transfer>;
export type LogEntry = z.infer<typeof wireSchemas.LogPage>['data'][number];
export type CreateBody = {
  externalId: string;
  asset: string;
  network: string;
  address: string;
  memo: string | null;
  amount: string;
  notAfter: string;
};
/** What a client saw: an answer with its body as text, or the name of what broke. */
export type Seen =
  | {
      status: number;
      replayed: boolean;
      date: string | null;
      requestId: string | null;
      retryAfter: string | null;
      text: string;
    }
  | { status: 'broken'; why: string };

export const API_KEY = 'test-key-of-the-exchange';
export const RECEIVER = '0x90F79bf6EB2c4f870365E785982E1f101E93b906';

export function createBody(changes: Partial<CreateBody> = {}): CreateBody {
  return {
    externalId: randomUUID(),
    asset: 'ETH',
    network: 'ethereum',
    address: RECEIVER,
    memo: null,
    amount: '0.001',
    notAfter: new Date(Date.now() + 120_000).toISOString(),
    ...changes,
  };
}

/** Speaks to the provider as a client does, and pulls its laboratory switches. */
export function openCustodyClient(baseUrl: string) {
  const headers = { authorization: `Bearer ${API_KEY}`, 'content-type': 'application/json' };

  async function create(body: CreateBody, options: { key?: string; timeoutMs?: number } = {}): Promise<Seen> {
    try {
      const response = await fetch(`${baseUrl}/v1/transfers`, {
        method: 'POST',
        headers: { ...headers, 'idempotency-key': options.key ?? body.externalId },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(options.timeoutMs ?? 10_000),
      });
      const name = (header: string): string | null => response.headers.get(header);
      return {
        status: response.status,
        replayed: name('idempotent-replayed') === 'true',
        date: name('date'),
        requestId: name('x-request-id'),
        retryAfter: name('retry-after'),
        text: await response.text(),
      };
    } catch (cause) {
      return { status: 'broken', why: cause instanceof Error ? cause.name : 'unknown' };
    }
  }

  async function get(path: string): Promise<{ status: number; body: unknown }> {
    const response = await fetch(baseUrl + path, { headers });
    return { status: response.status, body: await response.json() };
  }

  async function askStatement(externalId: string): Promise<{ status: number; body: unknown }> {
    const response = await fetch(`${baseUrl}/v1/statements`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ externalId }),
    });
    return { status: response.status, body: await response.json() };
  }

  async function find(externalId: string): Promise<Transfer[]> {
    const { body } = await get(`/v1/transfers?externalId=${encodeURIComponent(externalId)}`);
    return wireSchemas.TransferPage.parse(body).data;
  }

  async function control(method: string, path: string, order?: object): Promise<{ status: number; body: unknown }> {
    const response = await fetch(`${baseUrl}/control${path}`, {
      method,
      ...(order === undefined ? {} : { body: JSON.stringify(order) }),
    });
    return { status: response.status, body: await response.json() };
  }

  async function log(externalId: string): Promise<LogEntry[]> {
    const { body } = await control('GET', '/log');
    return wireSchemas.LogPage.parse(body).data.filter((entry) => entry.externalId === externalId);
  }

  return { create, get, askStatement, find, control, log };
}

export type CustodyClient = ReturnType<typeof openCustodyClient>;
