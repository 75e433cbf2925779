import { createHash } from 'node:crypto';
import { Agent } from 'node:http';
import { Agent as SecureAgent } from 'node:https';
import type { CustodyCapabilities } from '#domain/custody-capabilities.ts';
import type { CustodySite } from '#domain/custody-evidence.ts';
import { type CustodyExchange, custodyClockMs } from '#domain/custody-outcome.ts';
import { CUSTODY_ANSWER_CONTRACT } from '#server/custody/custody-answer-contract.ts';
import type {
  CustodyLookUp,
  CustodyPage,
  CustodyPort,
  CustodyTransfer,
  TransferMeaning,
} from '#server/custody/custody-port.ts';
import { parseBalances, parseCapabilities, parseTransfer, parseTransferPage } from '#server/custody/custody-wire.ts';
import { exchangeHttp } from '#server/custody/http-exchange.ts';
import { reachFaultPoint } from '#server/fault-points.ts';
import { traceHeaders } from '#server/tracing.ts';

export interface CustodyHttpOptions {
  readonly url: string;
  readonly apiKey: string;
  /** The hard deadline of one request, longer than the provider's own. */
  readonly timeoutMs: number;
  readonly site?: CustodySite;
}

// A provider changes what it promises by announcement, not by the second; a test changes it at will.
const CAPABILITIES_AGE_MAX_MS = 5_000;
const PAGE_SIZE = 200;

/**
 * The provider over HTTP, and the only place that can make a transfer. Keep-alive, one request a call, no retries and no
 * redirects: what the wire did is handed on as it was.
 */
export function createCustodyHttpClient(options: CustodyHttpOptions): CustodyPort {
  const agent = options.url.startsWith('https:')
    ? new SecureAgent({ keepAlive: true, maxSockets: 100 })
    : new Agent({ keepAlive: true, maxSockets: 100 });
  const call = (path: string) => ({
    url: new URL(path, options.url),
    agent,
    timeoutMs: options.timeoutMs,
    headers: { authorization: `Bearer ${options.apiKey}`, accept: 'application/json', ...traceHeaders() },
  });
  const get = (path: string) => exchangeHttp({ ...call(path), method: 'GET', body: null });
  const readPage: CustodyPort['listTransfers'] = async ({ fromMs, toMs, cursor }) => {
    const span = `from=${new Date(fromMs).toISOString()}&to=${new Date(toMs).toISOString()}&limit=${PAGE_SIZE}`;
    const after = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const exchange = await get(`/v1/transfers?${span}${after}`);
    const page = parseTransferPage(readOkBody(exchange) ?? '');
    return page === null ? { kind: 'failed', reason: failureOf(exchange) } : { kind: 'page', ...page };
  };
  let declared: { at: number; value: CustodyCapabilities } | undefined;

  return {
    site: options.site ?? { provider: 'custody', account: 'main' },
    answerContract: CUSTODY_ANSWER_CONTRACT,
    writeRequest,
    readTransfer: parseTransfer,
    close: () => agent.destroy(),
    async capabilities() {
      if (declared !== undefined && performance.now() - declared.at < CAPABILITIES_AGE_MAX_MS) return declared.value;
      const text = readOkBody(await get('/v1/capabilities'));
      const value = text === null ? null : parseCapabilities(text);
      if (value !== null) declared = { at: performance.now(), value };
      return value;
    },
    async balances() {
      return parseBalances(readOkBody(await get('/v1/balances')) ?? '');
    },
    createTransfer({ key, body }) {
      const base = call('/v1/transfers');
      const headers = {
        ...base.headers,
        'content-type': 'application/json',
        'content-length': String(body.length),
        'idempotency-key': key,
      };
      return exchangeHttp({ ...base, headers, method: 'POST', body, onSent: () => reachFaultPoint('C7') });
    },
    async findByReference(reference) {
      const exchange = await get(`/v1/transfers?externalId=${encodeURIComponent(reference)}`);
      const page = parseTransferPage(readOkBody(exchange) ?? '');
      if (page === null) return failedLookUp(exchange);
      return toLookUp(page.transfers, exchange);
    },
    listTransfers: readPage,
    async walkTransfers(span) {
      const found: CustodyTransfer[] = [];
      let cursor: string | null = null;
      // Custody's clock before the walk begins; the answer to the walk itself is written after custody has looked.
      const before = await get('/v1/capabilities');
      do {
        const page: CustodyPage = await readPage({ ...span, cursor });
        // Half a list proves nothing about what is not on it.
        if (page.kind === 'failed') return { ...page, custodyClockMs: custodyClockMs(before.response?.headers ?? {}) };
        found.push(...page.transfers);
        cursor = page.nextCursor;
      } while (cursor !== null);
      return toLookUp(found, before);
    },
  };
}

/** Fields in a fixed order, so that a test can compare bytes; they are stored and never made a second time. */
function writeRequest(meaning: TransferMeaning) {
  const { reference, asset, network, address, memo, amount, notAfter } = meaning;
  const fields = { externalId: reference, asset, network, address, memo, amount, notAfter: notAfter.toISOString() };
  const body = Buffer.from(JSON.stringify(fields), 'utf8');
  return { body, bodySha256: createHash('sha256').update(body).digest('hex') };
}

function readOkBody(exchange: CustodyExchange): string | null {
  const { response } = exchange;
  return response !== undefined && response.status === 200 && response.complete ? response.bodyText : null;
}

function toLookUp(transfers: readonly CustodyTransfer[], exchange: CustodyExchange): CustodyLookUp {
  const clock = custodyClockMs(exchange.response?.headers ?? {});
  if (transfers.length === 0) return { kind: 'not_found', custodyClockMs: clock };
  return { kind: 'found', transfers, custodyClockMs: clock };
}

function failedLookUp(exchange: CustodyExchange): CustodyLookUp {
  const clock = custodyClockMs(exchange.response?.headers ?? {});
  return { kind: 'failed', reason: failureOf(exchange), custodyClockMs: clock };
}

function failureOf({ response, error }: CustodyExchange): string {
  return response === undefined ? (error?.message ?? 'no answer') : `status ${response.status}`;
}
