import { z } from 'zod';
import { formatAmount } from '../amount-text.ts';
import { assets } from '../asset-table.ts';
import type { CustodySettings } from '../custody-settings.ts';
import type { FaultSwitches } from '../fault-switches.ts';
import { findExternalId, findTransferById, findTransfersByReference, listTransfers } from '../find-transfers.ts';
import type { HotWalletFunds } from '../hot-wallet-funds.ts';
import type { PaymentNetwork } from '../networks/payment-network.ts';
import { json, problem } from '../problem.ts';
import type { Database } from '../store/custody-database.ts';
import { readPoint } from './read-faults.ts';
import { answered, type Reply } from './reply.ts';
import type { Route, RouteContext } from './route.ts';

const place = z.object({ createdAt: z.string(), id: z.string() });
const listQuery = z.object({
  from: z.iso.datetime({ offset: true }).optional(),
  to: z.iso.datetime({ offset: true }).optional(),
  limit: z.coerce.number().int().min(1).max(500).default(100),
});

/** Everything a client may read: transfers, balances, and what this provider promises. */
export function transferRoutes(
  deps: { database: Database; settings: CustodySettings; faults: FaultSwitches; funds: HotWalletFunds },
  input: { maxRequestMs: number; networks: readonly PaymentNetwork[] },
): Route[] {
  const { settings } = deps;

  function whenOpen(handle: Route['handle']): Route['handle'] {
    const closed = answered(problem(503, 'maintenance', {}, { 'retry-after': '1' }));
    return (context) => (settings.isClosed() ? Promise.resolve(closed) : handle(context));
  }

  async function search(context: RouteContext): Promise<Reply> {
    const externalId = context.query.get('externalId');
    if (externalId !== null && !settings.profile().rules.searchableByReference)
      return answered(problem(400, 'lookup_not_supported'));
    const read = await readPoint(deps, { externalId: externalId ?? undefined });
    if (read.kind === 'reply') return read.reply;
    if (externalId !== null) {
      const data = read.hidden ? [] : await findTransfersByReference(deps, { externalId, lagMs: read.lagMs });
      return answered(json(200, { data }));
    }
    const query = listQuery.safeParse(Object.fromEntries(context.query));
    const after = parseCursor(context.query.get('cursor'));
    if (!query.success || after === undefined)
      return answered(problem(400, 'invalid_request', { detail: 'from, to, cursor or limit' }));
    const { from = null, to = null, limit } = query.data;
    const page = await listTransfers(deps, { from, to, after, limit, lagMs: read.lagMs });
    const nextCursor = page.next === null ? null : Buffer.from(JSON.stringify(page.next)).toString('base64url');
    return answered(json(200, { data: page.data, nextCursor }));
  }

  async function byId(context: RouteContext): Promise<Reply> {
    const id = context.params.id ?? '';
    const read = await readPoint(deps, { externalId: await findExternalId(deps, { id }) });
    if (read.kind === 'reply') return read.reply;
    const found = read.hidden ? null : await findTransferById(deps, { id, lagMs: read.lagMs });
    return answered(found === null ? problem(404, 'not_found') : json(200, found));
  }

  function balances(): Promise<Reply> {
    // A wallet that was not looked at yet is not an empty one, and a sum without it would be too small.
    const unknown = new Set(assets.filter(({ network }) => !deps.funds.known(network)).map(({ asset }) => asset));
    const shown = assets.filter(({ asset }) => !unknown.has(asset));
    const data = shown.map(({ asset, network, decimals }) => ({
      asset,
      network,
      address: input.networks.find(({ name }) => name === network)?.account ?? null,
      available: formatAmount(deps.funds.available(network, asset) ?? 0n, decimals),
    }));
    return Promise.resolve(answered(json(200, { data })));
  }

  function capabilities(): Promise<Reply> {
    const { profile, rules } = settings.profile();
    const { replaysKeys: _a, burnsKeyAfterError: _b, duplicateStatus: _c, keyWindowSlides: _d, ...promises } = rules;
    return Promise.resolve(answered(json(200, { profile, ...promises, maxRequestMs: input.maxRequestMs })));
  }

  return [
    {
      method: 'GET',
      path: '/v1/transfers',
      access: 'keyed',
      doc: {
        summary: 'Transfers under an external id, or a page of all by time of creation',
        query: ['externalId', 'from', 'to', 'cursor', 'limit'],
        answers: { 200: { description: 'The transfers; nextCursor only in pages', schema: 'TransferPage' } },
        problems: { 400: 'invalid_request, lookup_not_supported', 500: 'internal_error' },
      },
      handle: whenOpen(search),
    },
    {
      method: 'GET',
      path: '/v1/transfers/{id}',
      access: 'keyed',
      doc: {
        summary: 'One transfer by our id',
        answers: { 200: { description: 'The transfer as it is now', schema: 'Transfer' } },
        problems: { 404: 'not_found', 500: 'internal_error' },
      },
      handle: whenOpen(byId),
    },
    {
      method: 'GET',
      path: '/v1/balances',
      access: 'keyed',
      doc: {
        summary: 'What the hot wallets can still pay',
        answers: {
          200: { description: 'One entry a pair, of assets whose networks were all reached', schema: 'Balances' },
        },
      },
      handle: whenOpen(balances),
    },
    {
      method: 'GET',
      path: '/v1/capabilities',
      access: 'keyed',
      doc: {
        summary: 'What this provider promises of itself',
        answers: { 200: { description: 'The promises in force', schema: 'Capabilities' } },
      },
      handle: whenOpen(capabilities),
    },
  ];
}

/** Null for no cursor, undefined for one that is not ours. */
function parseCursor(text: string | null): { createdAt: string; id: string } | null | undefined {
  if (text === null) return null;
  try {
    return place.parse(JSON.parse(Buffer.from(text, 'base64url').toString('utf8')));
  } catch {
    return undefined;
  }
}
