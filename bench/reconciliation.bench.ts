import type { CustodyPage, CustodyPort } from '#server/custody/custody-port.ts';
import { createTestDatabase } from '#server/db/test-database.ts';
import { readProtocolTimes } from '#server/protocol-times.ts';
import { beginRun } from '#server/reconciliation/begin-run.ts';
import { runReconciliation } from '#server/reconciliation/run-reconciliation.ts';
import { migrate } from '../prisma/migrate.ts';
import { fillHouse } from './growth/fill-house.ts';
import { openBenchHouse } from './harness/bench-house.ts';

/**
 * The comparison of the books over a short list of custody's and over one ten times as long, in a house of each: how long a transfer
 * takes, and how much the process holds at most. Custody's list is read page by page from the same rows, so the books agree;
 * each hundredth transfer shows another amount, and has to be found.
 *
 * Run: TEST_DATABASE_URL=… npx tsx --expose-gc bench/reconciliation.bench.ts
 */
const LENGTHS = [10_000, 100_000];
const PAGE = 500;
/** In ten times the transfers, so much more memory at most. */
const GROWTH_MAX = 1.25;

const results = [];
for (const transfers of LENGTHS) {
  const database = await createTestDatabase({ migrate });
  try {
    results.push(await compare(database.url, transfers));
  } finally {
    await database.close();
  }
}
const [short, long] = results;
const growth = (long?.heapMaxMb ?? Number.NaN) / (short?.heapMaxMb ?? Number.NaN);
console.log(JSON.stringify({ bench: 'reconciliation', results, heapGrowth: Number(growth.toFixed(3)) }));
if (!(growth <= GROWTH_MAX) || results.some((one) => one.differing !== one.transfers / 100)) process.exitCode = 1;

async function compare(url: string, transfers: number) {
  const house = await openBenchHouse(url);
  try {
    await fillHouse({ log: console.error, signal: new AbortController().signal }, { url, rows: transfers });
    const heap: number[] = [];
    const custody = custodyOver(house, (mb) => heap.push(mb));
    const times = readProtocolTimes('production');
    const begun = await beginRun(house, { intervalMs: times.reconcileIntervalMs });
    if (begun === null) throw new Error('no run is due');
    const startedAt = performance.now();
    const cpuBefore = process.cpuUsage();
    const { outcome } = await runReconciliation(
      { db: house.db, custody, times },
      { runId: begun.runId, windowMs: 400 * 86_400_000 },
    );
    const seconds = (performance.now() - startedAt) / 1_000;
    const cpu = process.cpuUsage(cpuBefore);
    const [run] = await house.run<{ transfers: number; differing: number }>(
      `select r.transfers, (select count(*)::integer from reconciliation_discrepancies d where d.kind = 'differs' and d.books = 'ours_custody') as differing
       from reconciliation_runs r where r.id = $1`,
      [begun.runId],
    );
    return {
      transfers: Number(run?.transfers ?? 0),
      differing: run?.differing ?? 0,
      outcome,
      seconds: Number(seconds.toFixed(1)),
      transfersASecond: Math.round(transfers / seconds),
      ownCpuMsATransfer: Number(((cpu.user + cpu.system) / 1_000 / transfers).toFixed(3)),
      heapMaxMb: Number(Math.max(...heap).toFixed(1)),
    };
  } finally {
    await house.close();
  }
}

interface ListedRow {
  readonly transfer_id: string;
  readonly reference: string;
  readonly address: string;
  readonly status: string;
  readonly hash: string | null;
}

/** A custody whose list is our own rows; the heap is looked at with every page, without what is garbage by then. */
function custodyOver(house: Awaited<ReturnType<typeof openBenchHouse>>, onPage: (heapMb: number) => void): CustodyPort {
  const nobody = () => {
    throw new Error('a comparison asks for lists, references and balances only');
  };
  return {
    site: { provider: 'custody', account: 'main' },
    answerContract: { finalReasons: [], laterReasons: [] },
    capabilities: nobody,
    writeRequest: nobody,
    createTransfer: nobody,
    walkTransfers: nobody,
    readTransfer: nobody,
    findByReference: async () => ({ kind: 'not_found', custodyClockMs: null }),
    balances: async () => [],
    close: () => undefined,
    async listTransfers({ cursor }): Promise<CustodyPage> {
      globalThis.gc?.();
      onPage(process.memoryUsage().heapUsed / 1_048_576);
      const rows = await house.run<ListedRow>(
        `select w.transfer_id, w.idempotency_key::text as reference, w.address, w.status, w.transaction_hash as hash
         from withdrawals w where w.transfer_id > $1 order by w.transfer_id limit $2`,
        [cursor ?? '', PAGE],
      );
      const transfers = rows.map(({ transfer_id: id, reference, address, status, hash }) => ({
        id,
        externalId: reference,
        asset: 'USDC',
        network: 'ethereum',
        address,
        memo: null,
        amount: Number(id.slice(-9)) % 100 === 0 ? '10.5' : '10',
        status: status === 'completed' ? 'confirmed' : status === 'failed' ? 'failed' : 'broadcast',
        failureCode: status === 'failed' ? 'rejected' : null,
        final: status === 'completed' || status === 'failed',
        createdAtMs: null,
        transactions: hash === null ? [] : [{ hash, nonce: 1n, status: 'confirmed' }],
      }));
      return { kind: 'page', transfers, nextCursor: rows.length < PAGE ? null : (rows.at(-1)?.transfer_id ?? null) };
    },
  };
}
