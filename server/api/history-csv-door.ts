import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ApiTools } from '#server/api/context.ts';
import { answerRefusal } from '#server/api/http-answer.ts';
import { withdrawalListSchema } from '#server/api/schemas.ts';
import { streamCsv } from '#server/api/stream-csv.ts';
import type { Session } from '#server/auth/session.ts';
import { findWithdrawals } from '#server/withdrawals/find-withdrawals.ts';
import { toWithdrawalView } from '#server/withdrawals/withdrawal-view.ts';

export const HISTORY_CSV_PATH = '/api/history.csv';

/** Rows of one read: a few milliseconds each, and a long history never stands in memory whole. */
const PAGE = 500;

const COLUMNS = [
  'requested_at',
  'status',
  'asset',
  'network',
  'amount',
  'fee',
  'total',
  'address',
  'memo',
  'transaction_id',
  'reference',
  'idempotency_key',
] as const;

/** A customer's own history as text for a spreadsheet, by the filters of the page. Changes nothing. */
export async function answerHistoryCsv(
  tools: ApiTools,
  call: { request: IncomingMessage; response: ServerResponse; session: Session | null },
): Promise<void> {
  const { request, response, session } = call;
  if (request.method !== 'GET') return answerRefusal(response, 'request_malformed', 405);
  if (session === null) return answerRefusal(response, 'unauthorized');
  if (session.role !== 'customer') return answerRefusal(response, 'forbidden');
  const asked = Object.fromEntries(new URL(request.url ?? '', 'http://here.invalid').searchParams);
  const parsed = withdrawalListSchema.safeParse(asked);
  if (!parsed.success) return answerRefusal(response, 'request_malformed');
  const { status: statuses, asset, network, from, until, search } = parsed.data;
  const { userId } = session;
  const filter = { customerId: userId, statuses, asset, network, from, until, search, limit: PAGE };
  const catalogue = await tools.catalogue.read();
  const read = async (cursor: string | null) => {
    const { items, nextCursor } = await findWithdrawals(tools, { ...filter, cursor });
    return { items: items.map((seen) => toRow(toWithdrawalView(seen, catalogue))), nextCursor };
  };
  await streamCsv(tools, { response, userId }, { name: 'withdrawals', columns: COLUMNS, read });
}

function toRow(view: ReturnType<typeof toWithdrawalView>): Record<(typeof COLUMNS)[number], string> {
  return {
    requested_at: view.requestedAt,
    status: view.status,
    asset: view.asset,
    network: view.network,
    amount: view.amount,
    fee: view.fee,
    total: view.total,
    address: view.address,
    memo: view.memo ?? '',
    transaction_id: view.transactionHash ?? '',
    reference: view.withdrawalId,
    idempotency_key: view.idempotencyKey,
  };
}
