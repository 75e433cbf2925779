import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { DatabaseError, sessionSurvives, sortStatementError } from '#server/db/database-error.ts';
import { PrismaClient } from '#server/db/generated/client.ts';

/** A statement with a name is planned once a connection: a third of the cost of one without. */
export interface Statement {
  /** Unique over all statements, at most 63 characters. */
  readonly name: string;
  readonly text: string;
}

/**
 * Where statements run. `numeric` and `bigint` come back as text, times as `Date`, `bytea` as `Buffer`.
 *
 * @throws DatabaseError, sorted by what the failure means
 */
export interface Db {
  query<Row extends object>(statement: Statement, values: readonly unknown[]): Promise<Row[]>;
}

export interface Database extends Db {
  /** For everything that is not hot; on the same connections. Made on first use. */
  readonly prisma: PrismaClient;
  /** READ COMMITTED. Commits when `work` resolves, rolls back when it throws. No HTTP inside. */
  transaction<Result>(work: (tx: Db) => Promise<Result>): Promise<Result>;
  /** Connections in use, idle, and requests that wait for one. */
  readonly load: () => { readonly total: number; readonly idle: number; readonly waiting: number };
  close(): Promise<void>;
}

export interface DatabaseOptions {
  readonly url: string;
  /** Connections at most. */
  readonly max: number;
  readonly applicationName: string;
  /** How long a statement waits for somebody else's lock. 2 s: longer than any transaction of ours should take. */
  readonly lockTimeoutMs?: number;
  /** How long to wait for a connection, a new or a free one, before saying that the database cannot be reached. */
  readonly connectTimeoutMs?: number;
  /** After this a silent server counts as gone, and what was sent counts as unknown. */
  readonly queryTimeoutMs?: number;
  readonly onError?: (error: Error) => void;
}

/** Opens nothing yet: connections are made when they are needed. */
export function createDatabase(options: DatabaseOptions): Database {
  const pool = createPool(options);
  let prisma: PrismaClient | undefined;
  return {
    query: (statement, values) => runOnPool(pool, statement, values),
    get prisma() {
      prisma ??= new PrismaClient({ adapter: new PrismaPg(pool) });
      return prisma;
    },
    transaction: (work) => runTransaction(pool, work),
    load: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    close: async () => {
      await prisma?.$disconnect();
      await pool.end();
    },
  };
}

function createPool(options: DatabaseOptions): pg.Pool {
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.max,
    application_name: options.applicationName,
    connectionTimeoutMillis: options.connectTimeoutMs ?? 3_000,
    idleTimeoutMillis: 30_000,
    query_timeout: options.queryTimeoutMs ?? 15_000,
    keepAlive: true,
    // Given at connect, so that no statement ever runs without it.
    options: sessionOptions(options.lockTimeoutMs ?? 2_000),
  });
  const report = (error: Error) => options.onError?.(error);
  // Without a listener a server that restarts while a connection is idle would end this process, and so would one that
  // ends a connection in use: the pool listens to a client only while nobody has it.
  pool.on('error', report);
  pool.on('connect', (client) => client.on('error', report));
  return pool;
}

/** The isolation is named too: the accepting function counts on each of its statements seeing what it waited for. */
function sessionOptions(lockTimeoutMs: number): string {
  const settings = {
    lock_timeout: lockTimeoutMs,
    idle_in_transaction_session_timeout: 15_000,
    default_transaction_isolation: 'read\\ committed',
    timezone: 'UTC',
  };
  return Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ');
}

/**
 * `Pool.query` throws a connection away with every SQL error; we keep it where the server is still in step with us.
 */
async function runOnPool<Row extends object>(
  pool: pg.Pool,
  statement: Statement,
  values: readonly unknown[],
): Promise<Row[]> {
  const client = await connect(pool);
  try {
    const rows = await runStatement<Row>(client, statement, values);
    client.release();
    return rows;
  } catch (error) {
    client.release(!(error instanceof DatabaseError && sessionSurvives(error)) || isStalePlan(error));
    // The plan was made before a migration added a column. Nothing was executed; a new session plans anew.
    if (isStalePlan(error)) return await runOnFreshSession(pool, statement, values);
    throw error;
  }
}

async function runOnFreshSession<Row extends object>(pool: pg.Pool, statement: Statement, values: readonly unknown[]) {
  const client = await connect(pool);
  try {
    return await runStatement<Row>(client, { name: '', text: statement.text }, values);
  } finally {
    client.release(true);
  }
}

function isStalePlan(error: unknown): boolean {
  return error instanceof DatabaseError && error.code === '0A000';
}

async function runTransaction<Result>(pool: pg.Pool, work: (tx: Db) => Promise<Result>): Promise<Result> {
  const client = await connect(pool);
  let broken = false;
  try {
    await runStatement(client, { name: '', text: 'begin isolation level read committed' }, []);
    const result = await work({ query: (statement, values) => runStatement(client, statement, values) });
    await runStatement(client, { name: '', text: 'commit' }, []);
    return result;
  } catch (error) {
    // Whatever failed, a session whose rollback is not confirmed is not used again.
    broken = await client.query('rollback').then(
      () => error instanceof DatabaseError && !sessionSurvives(error),
      () => true,
    );
    throw error;
  } finally {
    client.release(broken);
  }
}

/** What is kept as JSON may hold a bigint, which `JSON.stringify` would throw at: it is kept as its text. */
export function toParameter(value: unknown): unknown {
  const isKeptAsJson = typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
  if (!isKeptAsJson) return value;
  return JSON.stringify(value, (_, inner: unknown) => (typeof inner === 'bigint' ? inner.toString() : inner));
}

async function connect(pool: pg.Pool): Promise<pg.PoolClient> {
  try {
    return await pool.connect();
  } catch (cause) {
    throw new DatabaseError('not_reached', cause);
  }
}

async function runStatement<Row extends object>(
  client: pg.PoolClient,
  statement: Statement,
  values: readonly unknown[],
): Promise<Row[]> {
  try {
    const named = statement.name === '' ? {} : { name: statement.name };
    const result = await client.query<Row>({ ...named, text: statement.text, values: values.map(toParameter) });
    return result.rows;
  } catch (cause) {
    throw sortStatementError(cause);
  }
}
