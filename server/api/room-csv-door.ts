import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ApiTools } from '#server/api/context.ts';
import { answerRefusal } from '#server/api/http-answer.ts';
import { auditCsvSchema } from '#server/api/operator-schemas.ts';
import { operatorCsvSchema } from '#server/api/schemas.ts';
import { type CsvSource, streamCsv } from '#server/api/stream-csv.ts';
import { appendAudit } from '#server/audit/append-audit.ts';
import { isStaff } from '#server/auth/roles.ts';
import type { Session } from '#server/auth/session.ts';
import { type AuditRecord, findAudit } from '#server/operator/find-audit.ts';
import {
  findWithdrawalPage,
  OPEN_STATUSES,
  type OperatorListItem,
  STUCK_SECONDS,
} from '#server/withdrawals/find-withdrawal-page.ts';

/** Rows of one read: some ten milliseconds each. */
const PAGE = 1_000;

const WITHDRAWAL_COLUMNS = [
  'withdrawalId',
  'requestedAt',
  'status',
  'customerEmail',
  'asset',
  'network',
  'amount',
  'attempts',
  'ageSeconds',
  'ageLimitSeconds',
  'overdue',
  'parkedReason',
  'waitReason',
  'transactionHash',
] as const satisfies readonly (keyof OperatorListItem)[];

const AUDIT_COLUMNS = [
  'seq',
  'at',
  'actor',
  'actorId',
  'action',
  'subject',
  'before',
  'after',
  'hash',
] as const satisfies readonly (keyof AuditRecord)[];

type Asked = Readonly<Record<string, string>>;
type Call = { response: ServerResponse; userId: string };

/** The files of the operators' room, each by its path. */
const FILES: Readonly<Record<string, (tools: ApiTools, call: Call, asked: Asked) => Promise<void>>> = {
  '/api/operator/withdrawals.csv': answerWithdrawals,
  '/api/operator/audit.csv': answerAudit,
};

export function isRoomCsv(path: string): boolean {
  return Object.hasOwn(FILES, path);
}

/**
 * A list of the operators' room whole, as text for a spreadsheet, by the filters of its page. Changes nothing; who took what stands
 * in the audit, for it leaves with everybody's e-mails.
 */
export async function answerRoomCsv(
  tools: ApiTools,
  call: { request: IncomingMessage; response: ServerResponse; path: string; session: Session | null },
): Promise<void> {
  const { request, response, path, session } = call;
  if (session === null) return answerRefusal(response, 'unauthorized');
  // Nothing here is for customers to know about, not even that it exists.
  if (!isStaff(session.role)) return answerRefusal(response, 'not_found');
  if (request.method !== 'GET') return answerRefusal(response, 'request_malformed', 405);
  const asked = Object.fromEntries(new URL(request.url ?? '', 'http://here.invalid').searchParams);
  await FILES[path]?.(tools, { response, userId: session.userId }, asked);
}

async function answerWithdrawals(tools: ApiTools, call: Call, asked: Asked): Promise<void> {
  const parsed = operatorCsvSchema.safeParse(asked);
  if (!parsed.success) return answerRefusal(call.response, 'request_malformed');
  const { status, search, sort, failedSince, stuck } = parsed.data;
  const catalogue = await tools.catalogue.read();
  // Worst first shows what is open. The file has the same rows in the order in which they were asked for: in the other one a row
  // moves on as it ends, and the pages behind it would be lost.
  const statuses = status !== null ? [status] : sort === 'worst_first' && search === null ? OPEN_STATUSES : null;
  const question = { statuses, search, sort: 'newest' as const, failedSince, limit: PAGE, catalogue };
  const source: CsvSource<OperatorListItem> = {
    name: 'withdrawals',
    columns: WITHDRAWAL_COLUMNS,
    writeDown: () =>
      writeDown(tools, call, { file: 'withdrawals', filters: { status, search, sort, failedSince, stuck } }),
    read: async (cursor) => {
      const { items, nextCursor } = await findWithdrawalPage(tools, { ...question, cursor });
      return { items: stuck ? items.filter(({ ageSeconds }) => ageSeconds >= STUCK_SECONDS) : items, nextCursor };
    },
  };
  await streamCsv(tools, call, source);
}

async function answerAudit(tools: ApiTools, call: Call, asked: Asked): Promise<void> {
  const parsed = auditCsvSchema.safeParse(asked);
  if (!parsed.success) return answerRefusal(call.response, 'request_malformed');
  const { search } = parsed.data;
  const source: CsvSource<AuditRecord> = {
    name: 'audit',
    columns: AUDIT_COLUMNS,
    writeDown: () => writeDown(tools, call, { file: 'audit', filters: { search } }),
    read: (cursor) => findAudit(tools, { search, cursor, limit: PAGE }),
  };
  await streamCsv(tools, call, source);
}

function writeDown(
  tools: ApiTools,
  { userId }: Call,
  { file, filters }: { file: string; filters: Readonly<Record<string, unknown>> },
): Promise<void> {
  const entry = { actorId: userId, action: `export.${file}`, subject: `${file}.csv`, before: null, after: filters };
  return appendAudit(tools, entry);
}
