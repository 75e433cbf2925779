import { Queue, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import type pg from 'pg';

export interface AcceptStatement {
  readonly name: string;
  readonly text: string;
  readonly values: readonly unknown[];
}

/** The queue of one contestant, from both sides. */
export interface PeerQueue {
  /** Accepts, and gives the row its job: in the same transaction where the queue can, right after it where it cannot. */
  accept(statement: AcceptStatement): Promise<void>;
  /** Runs jobs, so many at a time, until the process ends. */
  work(concurrency: number, job: (withdrawalId: string) => Promise<void>): Promise<void>;
}

interface Surroundings {
  readonly url: string;
  readonly redisUrl: string;
  readonly pool: pg.Pool;
  /** Where things break: tries again often, with growing waits, and gives a dead worker's job on soon. */
  readonly isPatient?: boolean;
}

/** Each as its documentation recommends, with the withdrawal's id as the job's own. */
export async function openQueue(name: string, surroundings: Surroundings): Promise<PeerQueue> {
  switch (name) {
    case 'bullmq':
      return openBullmq(surroundings);
    case 'graphile-worker':
      return await openGraphile(surroundings);
    case 'pg-boss':
      return await openPgBoss(surroundings);
    case 'dbos':
      return await openDbos(surroundings);
    default:
      throw new Error(`there is no queue ${name}`);
  }
}

async function idOf(client: pg.Pool | pg.PoolClient, statement: AcceptStatement): Promise<string> {
  const { rows } = await client.query<{ id: string }>({ ...statement, values: [...statement.values] });
  const [row] = rows;
  if (row === undefined) throw new Error('nothing was accepted');
  return row.id;
}

// The scale at which the product's own times stand in a run with faults (`PROTOCOL_TIMES=proof`): a twentieth.
const PATIENT = { attempts: 10, firstWaitMs: 200, lockMs: 1_500 };

function openBullmq({ redisUrl, pool, isPatient }: Surroundings): PeerQueue {
  const redis = () => new Redis(redisUrl, { maxRetriesPerRequest: null }).on('error', () => undefined);
  const queue = new Queue('bare', { connection: redis(), prefix: '{bare}' });
  const again = isPatient
    ? { attempts: PATIENT.attempts, backoff: { type: 'exponential', delay: PATIENT.firstWaitMs } }
    : { attempts: 3 };
  const kept = { removeOnComplete: { count: 2_000 }, ...again };
  const lock = { lockDuration: PATIENT.lockMs, stalledInterval: PATIENT.lockMs, maxStalledCount: PATIENT.attempts };
  return {
    accept: async (statement) => {
      const id = await idOf(pool, statement);
      await queue.add('send', { id }, { ...kept, jobId: id });
    },
    work: async (concurrency, job) => {
      const worker = new Worker<{ id: string }>('bare', async ({ data }) => await job(data.id), {
        connection: redis(),
        prefix: '{bare}',
        concurrency,
        ...(isPatient ? lock : {}),
      });
      worker.on('error', () => undefined);
      await worker.waitUntilReady();
    },
  };
}

async function openGraphile({ pool }: Surroundings): Promise<PeerQueue> {
  const { run, runMigrations } = await importPeer('graphile-worker');
  await runMigrations({ pgPool: pool });
  return {
    accept: (statement) =>
      inTransaction(pool, async (client) => {
        const id = await idOf(client, statement);
        await client.query({
          name: 'add_job',
          text: `select graphile_worker.add_job('send', json_build_object('id', $1::text), job_key := $1::text)`,
          values: [id],
        });
      }),
    work: async (concurrency, job) => {
      await run({
        pgPool: pool,
        concurrency,
        pollInterval: 500,
        noHandleSignals: true,
        taskList: { send: async ({ id }: { id: string }) => await job(id) },
      });
    },
  };
}

async function openPgBoss({ url, pool }: Surroundings): Promise<PeerQueue> {
  const { default: PgBoss } = await importPeer('pg-boss');
  const boss = new PgBoss({ connectionString: url, max: 16 });
  boss.on('error', () => undefined);
  await boss.start();
  await boss.createQueue('send', { name: 'send', retryLimit: 3 });
  return {
    accept: (statement) =>
      inTransaction(pool, async (client) => {
        const id = await idOf(client, statement);
        const db = { executeSql: (text: string, values: unknown[]) => client.query(text, values) };
        await boss.send('send', { id }, { id, db });
      }),
    work: async (concurrency, job) => {
      // Its own workers fetch once in half a second at most; a loop of fetch and complete is the way it documents for more.
      const lane = async () => {
        for (;;) {
          const jobs: { id: string; data: { id: string } }[] = await boss.fetch('send', {
            batchSize: concurrency / LANES,
          });
          await Promise.all(jobs.map(({ data }) => job(data.id)));
          if (jobs.length > 0)
            await boss.complete(
              'send',
              jobs.map(({ id }) => id),
            );
          else await new Promise((resolve) => setTimeout(resolve, IDLE_MS));
        }
      };
      for (let number = 0; number < LANES; number += 1) void lane();
    },
  };
}

const LANES = 5;
const IDLE_MS = 50;

async function openDbos({ url, pool, isPatient }: Surroundings): Promise<PeerQueue> {
  const { DBOS, DBOSClient } = await importPeer('@dbos-inc/dbos-sdk');
  const systemDatabaseUrl = url.replace(/\/[^/]*$/, '/bench_dbos');
  let client: Promise<{ enqueue(options: object, id: string): Promise<unknown> }> | undefined;
  return {
    accept: async (statement) => {
      client ??= DBOSClient.create({ systemDatabaseUrl });
      const id = await idOf(pool, statement);
      const sender = await client;
      await sender?.enqueue({ queueName: 'send', workflowName: 'send', workflowID: id }, id);
    },
    work: async (concurrency, job) => {
      const again = isPatient
        ? { maxAttempts: PATIENT.attempts, intervalSeconds: PATIENT.firstWaitMs / 1_000, backoffRate: 2 }
        : { maxAttempts: 3 };
      const step = (id: string) => DBOS.runStep(() => job(id), { name: 'send', retriesAllowed: true, ...again });
      DBOS.registerWorkflow(step, { name: 'send' });
      // Under a name that stays: whoever starts again under it takes up what it left.
      const executorID = process.env.EXECUTOR ?? 'local';
      DBOS.setConfig({ name: 'bench', systemDatabaseUrl, executorID, runAdminServer: false, logLevel: 'error' });
      await DBOS.launch();
      // It polls once a second by itself; a tenth is the shortest that is still kind to the database.
      await DBOS.registerQueue('send', { workerConcurrency: concurrency, minPollingIntervalMs: 100 });
    },
  };
}

async function inTransaction(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<void>): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    await work(client);
    await client.query('commit');
    client.release();
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    client.release(true);
    throw error;
  }
}

/** A package of `bench/peers`, which is installed by the bench alone: the checkout's types know nothing of it. */
async function importPeer(name: string) {
  return await import(name);
}
