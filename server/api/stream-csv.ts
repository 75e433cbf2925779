import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { CustomerGate } from '#server/api/context.ts';
import { csvHead, csvNote, csvText } from '#server/api/csv-text.ts';
import { answerRefusal } from '#server/api/http-answer.ts';
import { RefusalError } from '#server/api/refusal-to-trpc.ts';

/** More is nobody's to open; filters make it less. */
const ROWS_MAX = 1_000_000;
/** A reader that takes nothing for so long has gone, and holds a page in memory. */
const STALLED_MS = 60_000;

export interface CsvSource<Row extends object> {
  /** Of the file, without its ending. */
  readonly name: string;
  readonly columns: readonly (keyof Row & string)[];
  /** A page from behind the cursor, in an order in which no row changes its place while it is read. */
  readonly read: (cursor: string | null) => Promise<{ items: readonly Row[]; nextCursor: string | null }>;
  /** Writes down that the file is taken: when its first page was read, and before anything of it leaves. */
  readonly writeDown?: () => Promise<void>;
  /** Default a million. A file that ends there says so in its last line. */
  readonly rowsMax?: number;
}

/**
 * Answers with a file of all rows, page by page: the next is read when the reader took the one before, each in the person's line
 * beside their other looks, and none once the reader has gone. What fails before the first line is refused in words, what fails
 * later breaks the connection, so that half a file is never taken for a whole one.
 */
export async function streamCsv<Row extends object>(
  tools: { gate: CustomerGate },
  call: { response: ServerResponse; userId: string },
  source: CsvSource<Row>,
): Promise<void> {
  const { response, userId } = call;
  const read = (cursor: string | null) => tools.gate.run(`look ${userId}`, () => source.read(cursor));
  try {
    const first = await read(null);
    await source.writeDown?.();
    response.writeHead(200, {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="${source.name}.csv"`,
      'cache-control': 'no-store',
    });
    response.setTimeout(STALLED_MS, () => response.destroy());
    await pipeline(Readable.from(writeLines(source, first, read), { highWaterMark: 1 }), response);
  } catch (error) {
    if (error instanceof RefusalError && !response.headersSent) return answerRefusal(response, error.refusal.code);
    // Whoever asked has gone; there is nobody left to tell.
    if (isGone(error)) return;
    throw error;
  }
}

async function* writeLines<Row extends object>(
  { columns, rowsMax = ROWS_MAX }: CsvSource<Row>,
  first: { items: readonly Row[]; nextCursor: string | null },
  read: CsvSource<Row>['read'],
): AsyncGenerator<string> {
  yield csvHead(columns);
  let left = rowsMax;
  for (let page = first; ; page = await read(page.nextCursor)) {
    yield csvText(columns, page.items.slice(0, left));
    const isCut = page.items.length > left || (page.items.length === left && page.nextCursor !== null);
    left -= page.items.length;
    if (isCut) {
      yield csvNote(`This file ends after ${rowsMax} rows. There are more: narrow the filters.`);
      return;
    }
    if (page.nextCursor === null) return;
  }
}

function isGone(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  return code === 'ERR_STREAM_PREMATURE_CLOSE' || code === 'ECONNRESET' || code === 'EPIPE';
}
