import type { Db } from '#server/db/database.ts';
import { DatabaseError, sessionSurvives } from '#server/db/database-error.ts';
import { BATCH_MAX, oneByOne } from '#server/db/one-by-one.ts';
import { requestWithdrawalsSql } from '#server/sql/request-withdrawals.sql.ts';
import { acceptAlone } from '#server/withdrawals/accept-alone.ts';
import type { Accept, AcceptanceCall, AcceptedRow } from '#server/withdrawals/acceptance-call.ts';

/**
 * Gathers requests that arrive while the database is busy with others, and accepts them in one transaction: nobody waits for a
 * timer, and a request that comes alone goes alone. One batch is in flight: of two at a time each is half as large and costs nearly as
 * much (end to end 0.8 × as many a second and 1.3 × the CPU, in five rounds of five). A single request is asked
 * for by the same statement, for it waits for nobody's lock, and those behind it would wait too. Each has its own outcome. What makes a batch fail is isolated by making
 * its requests one by one; they are rolled back by then, and the key would find them if they were not.
 */
export function createAcceptanceBatch(deps: { db: Db }): Accept {
  const waiting: Waiting[] = [];
  let isRunning = false;
  const alone = createAloneLine(deps);
  const drain = async () => {
    while (waiting.length > 0) await runBatch(deps, alone, waiting.splice(0, BATCH_MAX));
    isRunning = false;
  };
  return (call) =>
    new Promise((resolve, reject) => {
      waiting.push({ call, resolve, reject });
      if (isRunning) return;
      isRunning = true;
      // After everything that has arrived by now was read, and before anything else is waited for.
      setImmediate(() => void drain());
    });
}

interface Waiting {
  readonly call: AcceptanceCall;
  readonly resolve: (row: AcceptedRow) => void;
  readonly reject: (error: unknown) => void;
}

async function runBatch(deps: { db: Db }, alone: Accept, batch: readonly Waiting[]): Promise<void> {
  const rows = await askTogether(deps, batch);
  if (rows.kind === 'failed') {
    for (const { reject } of batch) reject(rows.error);
    return;
  }
  if (rows.kind === 'rolled_back') {
    return await oneByOne(batch, (waiting) => settle(waiting, (call) => acceptAlone(deps, call)));
  }
  for (const [index, waiting] of batch.entries()) {
    const row = rows.byPlace.get(index + 1);
    if (row === undefined) waiting.reject(new Error('a request of the batch has no outcome'));
    // Nobody else's request waits with it.
    else if (row.outcome === 'busy') void settle(waiting, alone);
    else waiting.resolve({ ...row, outcome: row.outcome });
  }
}

type BatchRow = Omit<AcceptedRow, 'outcome'> & {
  readonly ordinal: number;
  readonly outcome: AcceptedRow['outcome'] | 'busy';
};

type Together =
  | { readonly kind: 'answered'; readonly byPlace: ReadonlyMap<number, BatchRow> }
  /** Nothing of it happened. */
  | { readonly kind: 'rolled_back' }
  /** It may have happened, or the database is away: for each request the same trouble. */
  | { readonly kind: 'failed'; readonly error: unknown };

async function askTogether(deps: { db: Db }, batch: readonly Waiting[]): Promise<Together> {
  try {
    const rows = await deps.db.query<BatchRow>(requestWithdrawalsSql, [JSON.stringify(batch.map(({ call }) => call))]);
    return { kind: 'answered', byPlace: new Map(rows.map((row) => [row.ordinal, row])) };
  } catch (error) {
    const isRolledBack = error instanceof DatabaseError && sessionSurvives(error);
    return isRolledBack ? { kind: 'rolled_back' } : { kind: 'failed', error };
  }
}

async function settle(waiting: Waiting, accept: Accept): Promise<void> {
  await accept(waiting.call).then(waiting.resolve, waiting.reject);
}

/** Requests of one customer whose lock is held elsewhere wait one behind the other: one connection a customer, however many. */
function createAloneLine(deps: { db: Db }): Accept {
  const last = new Map<string, Promise<unknown>>();
  return (call) => {
    const before = last.get(call.customer) ?? Promise.resolve();
    const mine = before.then(() => acceptAlone(deps, call));
    const ended = mine.then(
      () => undefined,
      () => undefined,
    );
    last.set(call.customer, ended);
    void ended.then(() => {
      if (last.get(call.customer) === ended) last.delete(call.customer);
    });
    return mine;
  };
}
