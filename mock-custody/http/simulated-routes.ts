import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { parseAmount } from '../amount-text.ts';
import type { NetworkName } from '../asset-table.ts';
import { findAsset, isPayableAddress } from '../asset-table.ts';
import { findNextNonce } from '../networks/next-nonce.ts';
import type { SimulatedLedger } from '../networks/simulated-ledger.ts';
import { json, problem } from '../problem.ts';
import type { Database } from '../store/custody-database.ts';
import { parseJsonBody } from './json-body.ts';
import { answered, type Reply } from './reply.ts';
import type { Route, RouteContext } from './route.ts';

const blocksQuery = z.object({
  from: z.coerce.number().int().nonnegative().default(1),
  limit: z.coerce.number().int().min(1).max(500).default(100),
});
const accountQuery = z.object({ height: z.coerce.number().int().nonnegative() });
const mineOrder = z.object({ blocks: z.number().int().min(1).max(500).default(1) }).strict();
const reorgOrder = z.object({ depth: z.number().int().min(1).max(200), drop: z.boolean().default(false) }).strict();
const depositOrder = z
  .object({ asset: z.string(), address: z.string(), memo: z.string().nullable().default(null), amount: z.string() })
  .strict();

/** The simulated networks as a node shows them to an indexer, and their levers for a laboratory. */
export function simulatedRoutes(
  deps: { database: Database },
  input: { ledgers: ReadonlyMap<NetworkName, SimulatedLedger>; onMined: () => void },
): Route[] {
  const { database } = deps;

  function withLedger(act: (ledger: SimulatedLedger, context: RouteContext) => Promise<Reply>): Route['handle'] {
    return (context) => {
      const found = [...input.ledgers.values()].find(({ network }) => network === context.params.network);
      return found === undefined ? Promise.resolve(answered(problem(404, 'not_found'))) : act(found, context);
    };
  }

  const head = withLedger(async ({ network }) => {
    const found = await database.query(
      `select height::int, hash, parent_hash as "parentHash", at from simulated_block where network = $1 order by height desc limit 1`,
      [network],
    );
    return answered(json(200, found.rows[0] ?? { height: 0, hash: '0'.repeat(64), parentHash: '', at: null }));
  });

  const blocks = withLedger(async ({ network }, { query }) => {
    const page = blocksQuery.safeParse(Object.fromEntries(query));
    if (!page.success) return answered(problem(400, 'invalid_request', { detail: 'from or limit' }));
    const found = await database.query<StoredBlock>(
      `select height::int, hash, parent_hash as "parentHash", at, coalesce((
         select json_agg(${transactionJson} order by t.position) from simulated_transaction t
         where t.network = b.network and t.height = b.height), '[]'::json) as transactions
       from simulated_block b where network = $1 and height >= $2 order by height limit $3`,
      [network, page.data.from, page.data.limit],
    );
    const show = ({ transactions, ...block }: StoredBlock) => ({
      ...block,
      transactions: transactions.map(withTerms(network)),
    });
    return answered(json(200, { data: found.rows.map(show) }));
  });

  const transaction = withLedger(async ({ network }, { params }) => {
    const found = await database.query<{ body: StoredTransaction }>(
      `select ${transactionJson} as body from simulated_transaction t where network = $1 and hash = $2`,
      [network, params.hash],
    );
    const [row] = found.rows;
    return answered(row === undefined ? problem(404, 'not_found') : json(200, withTerms(network)(row.body)));
  });

  const account = withLedger(async ({ network }, { params, query }) => {
    const asked = accountQuery.safeParse(Object.fromEntries(query));
    if (!asked.success) return answered(problem(400, 'invalid_request', { detail: 'height' }));
    const { height } = asked.data;
    const nextNonce = await findNextNonce({ database }, { network, account: params.account ?? '', height });
    return answered(json(200, { account: params.account, height, nextNonce }));
  });

  const mine = withLedger((ledger, context) =>
    parseJsonBody(context, mineOrder, async (order) => {
      let height = 0;
      for (let mined = 0; mined < order.blocks; mined += 1) height = await ledger.mine();
      input.onMined();
      return answered(json(200, { height }));
    }),
  );

  const reorg = withLedger((ledger, context) =>
    parseJsonBody(context, reorgOrder, async (order) => {
      await ledger.reorg(order);
      input.onMined();
      return answered(json(200, order));
    }),
  );

  const deposit = withLedger((ledger, context) =>
    parseJsonBody(context, depositOrder, async ({ asset, address, memo, amount }) => {
      const known = findAsset(asset, ledger.network);
      const payable =
        known !== undefined &&
        parseAmount(amount, known.decimals) !== null &&
        isPayableAddress(ledger.network, address);
      if (!payable) return answered(problem(400, 'invalid_request', { detail: 'asset, address or amount' }));
      const hash = randomBytes(32).toString('hex');
      // Each deposit from a sender of its own, so that no deposit waits for another's number.
      const account = `faucet-${hash.slice(0, 16)}`;
      await ledger.submit(hash, {
        account,
        nonce: '0',
        fee: 1,
        asset,
        recipient: address,
        memo,
        amount,
        fate: 'included',
        validUntilHeight: null,
      });
      input.onMined();
      return answered(json(201, { hash }));
    }),
  );

  return [
    {
      method: 'GET',
      path: '/sim/{network}/head',
      access: 'open',
      doc: {
        summary: 'The newest block of a simulated chain',
        answers: { 200: { description: 'Its height and hash' } },
        problems: { 404: 'not_found' },
      },
      handle: head,
    },
    {
      method: 'GET',
      path: '/sim/{network}/blocks',
      access: 'open',
      doc: {
        summary: 'Blocks of a simulated chain with their transactions, by height',
        query: ['from', 'limit'],
        answers: { 200: { description: 'Blocks from a height on' } },
        problems: { 400: 'invalid_request', 404: 'not_found' },
      },
      handle: blocks,
    },
    {
      method: 'GET',
      path: '/sim/{network}/transactions/{hash}',
      access: 'open',
      doc: {
        summary: 'One transaction of a simulated chain',
        answers: { 200: { description: 'The transaction, included or not' } },
        problems: { 404: 'not_found' },
      },
      handle: transaction,
    },
    {
      method: 'GET',
      path: '/sim/{network}/accounts/{account}',
      access: 'open',
      doc: {
        summary: 'The first number that an account had not used as of a height',
        query: ['height'],
        answers: { 200: { description: 'The number' } },
        problems: { 400: 'invalid_request', 404: 'not_found' },
      },
      handle: account,
    },
    {
      method: 'POST',
      path: '/control/sim/{network}/mine',
      access: 'local',
      doc: {
        summary: 'Mines blocks at once',
        body: mineOrder,
        answers: { 200: { description: 'The new height' } },
        problems: { 400: 'invalid_request', 404: 'not_found' },
      },
      handle: mine,
    },
    {
      method: 'POST',
      path: '/control/sim/{network}/reorg',
      access: 'local',
      doc: {
        summary: 'Replaces the top blocks by a longer branch',
        body: reorgOrder,
        answers: { 200: { description: 'Done' } },
        problems: { 400: 'invalid_request', 404: 'not_found' },
      },
      handle: reorg,
    },
    {
      method: 'POST',
      path: '/control/sim/{network}/deposits',
      access: 'local',
      doc: {
        summary: 'Pays somebody on a simulated chain, out of nothing',
        body: depositOrder,
        answers: { 201: { description: 'The hash' } },
        problems: { 400: 'invalid_request', 404: 'not_found' },
      },
      handle: deposit,
    },
  ];
}

type StoredTransaction = { asset: string; amount: string };
type StoredBlock = { height: number; hash: string; parentHash: string; at: string; transactions: StoredTransaction[] };

const transactionJson = `json_build_object('hash', t.hash, 'from', t.account, 'nonce', t.nonce, 'to', t.recipient, 'memo', t.memo,
  'asset', t.asset, 'amount', t.amount, 'status', t.status, 'validUntilHeight', t.valid_until_height, 'height', t.height, 'index', t.position,
  'blockHash', (select x.hash from simulated_block x where x.network = t.network and x.height = t.height))`;

/** As a chain says it: by contract and in minor units. What it charged is always nothing: a fee here only ranks two transactions of one number. */
function withTerms(network: NetworkName) {
  return (transaction: StoredTransaction) => {
    const known = findAsset(transaction.asset, network);
    const amountMinor = known === undefined ? null : parseAmount(transaction.amount, known.decimals);
    return {
      ...transaction,
      contract: known?.contract ?? null,
      amountMinor: amountMinor?.toString() ?? null,
      charged: '0',
    };
  };
}
