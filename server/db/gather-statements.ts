import { type Database, type Db, type Statement, toParameter } from '#server/db/database.ts';
import { DatabaseError, sessionSurvives } from '#server/db/database-error.ts';
import { BATCH_MAX, oneByOne } from '#server/db/one-by-one.ts';

/** A statement for one, and the same for many. */
export interface GatheredStatement {
  /** The name of the statement for one. Its first value that is not null says whom it is about. */
  readonly alone: string;
  /**
   * Its n-th value is the array of everybody's n-th values; a list among them comes as JSON, for Postgres knows no array of unlike
   * lists. It answers what the statement for one answers, and `place`, counted from 1: whose answer it is.
   */
  readonly together: Statement;
}

/**
 * A database that runs named statements together where they are asked for at the same time: one batch of each in flight, no
 * timer, and a statement that comes alone goes alone. Everybody gets the answer that the statement for one would have given.
 * What makes a batch fail is isolated by asking one by one, which the rolled-back batch has left undone. Transactions and all
 * other statements pass as they are.
 *
 * @param options.togetherFrom how many make a batch; 1 in tests, so that the statement for many answers them all
 */
export function gatherStatements(
  db: Database,
  statements: readonly GatheredStatement[],
  options: { togetherFrom?: number } = {},
): Database {
  const togetherFrom = options.togetherFrom ?? 2;
  return {
    query: gatheredQuery(db, statements, { togetherFrom, isolates: true }),
    // Made on first use, as behind.
    get prisma() {
      return db.prisma;
    },
    transaction: (work) => db.transaction(work),
    load: db.load,
    close: () => db.close(),
  };
}

/**
 * The same inside a transaction, for deeds that run beside each other in it. A statement that fails has ended the transaction for
 * all of them, so there is nobody left to be asked one by one: everybody of the batch hears of it.
 */
export function gatherInTransaction(tx: Db, statements: readonly GatheredStatement[]): Db {
  return { query: gatheredQuery(inTurn(tx), statements, { togetherFrom: 2, isolates: false }) };
}

/** A connection does one thing at a time. `pg` keeps what is asked beside that waiting, and says that it will not do so for ever. */
function inTurn(tx: Db): Db {
  let last: Promise<unknown> = Promise.resolve();
  return {
    query: <Row extends object>(statement: Statement, values: readonly unknown[]) => {
      const mine = last.then(() => tx.query<Row>(statement, values));
      // Whether the one before went well or not: the server refuses the rest of a transaction that has failed.
      last = mine.catch(() => undefined);
      return mine;
    },
  };
}

interface Gathering {
  /** How many make a batch. */
  readonly togetherFrom: number;
  /** Whether the members of a batch that fails are asked for one by one. */
  readonly isolates: boolean;
}

function gatheredQuery(db: Db, statements: readonly GatheredStatement[], gathering: Gathering): Db['query'] {
  const lines = new Map(statements.map(({ alone, together }) => [alone, createLine(db, together, gathering)]));
  return <Row extends object>(statement: Statement, values: readonly unknown[]) => {
    const line = lines.get(statement.name);
    return line === undefined ? db.query<Row>(statement, values) : line<Row>(statement, values);
  };
}

interface Waiting {
  readonly statement: Statement;
  readonly values: readonly unknown[];
  readonly resolve: (rows: object[]) => void;
  readonly reject: (error: unknown) => void;
}

function createLine(db: Db, together: Statement, { togetherFrom, isolates }: Gathering) {
  let waiting: Waiting[] = [];
  let isRunning = false;
  const drain = async () => {
    while (waiting.length > 0) {
      const { batch, rest } = takeBatch(waiting);
      waiting = rest;
      if (batch.length < togetherFrom) await askOneByOne(db, batch);
      else await askTogether(db, together, { batch, isolates });
    }
    isRunning = false;
  };
  return <Row extends object>(statement: Statement, values: readonly unknown[]) =>
    new Promise<Row[]>((resolve, reject) => {
      // The rows are the statement's; whoever names the statement says what they are.
      waiting.push({ statement, values, resolve: resolve as (rows: object[]) => void, reject });
      if (isRunning) return;
      isRunning = true;
      // After everybody who asks in this turn has asked.
      setImmediate(() => void drain());
    });
}

/** At most one about each: two about the same row follow one another, as if each had come alone. */
function takeBatch(waiting: readonly Waiting[]): { batch: Waiting[]; rest: Waiting[] } {
  const [batch, rest]: [Waiting[], Waiting[]] = [[], []];
  const known = new Set<unknown>();
  for (const one of waiting) {
    const about = one.values.find((value) => value !== null);
    if (batch.length < BATCH_MAX && !known.has(about)) batch.push(one);
    else rest.push(one);
    known.add(about);
  }
  return { batch, rest };
}

async function askTogether(
  db: Db,
  together: Statement,
  { batch, isolates }: { batch: readonly Waiting[]; isolates: boolean },
): Promise<void> {
  const width = batch[0]?.values.length ?? 0;
  const values = Array.from({ length: width }, (_, at) => batch.map((one) => toElement(one.values[at])));
  try {
    const rows = await db.query<{ place: number }>(together, values);
    for (const [index, one] of batch.entries()) one.resolve(rows.filter(({ place }) => place === index + 1));
  } catch (error) {
    if (isolates && error instanceof DatabaseError && sessionSurvives(error)) return await askOneByOne(db, batch);
    for (const one of batch) one.reject(error);
  }
}

function toElement(value: unknown): unknown {
  return Array.isArray(value) ? JSON.stringify(value) : toParameter(value);
}

function askOneByOne(db: Db, batch: readonly Waiting[]): Promise<void> {
  return oneByOne(batch, (one) => db.query(one.statement, one.values).then(one.resolve, one.reject));
}
