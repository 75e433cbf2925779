import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { SMTPServer } from 'smtp-server';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { openPerson } from '#server/api/api-world.test-support.ts';
import { createTestDatabase, type TestDatabase } from '#server/db/test-database.ts';
import { queueNotice } from '#server/notifications/queue-notice.ts';
import { migrate } from '../../prisma/migrate.ts';
import { seed } from '../../prisma/seed.ts';
import { until } from '../../worker/test-support/dispatch-world.ts';

const WORKER = fileURLToPath(new URL('../../worker/main.ts', import.meta.url));

let database: TestDatabase;
let server: SMTPServer;
let smtpUrl: string;
const received: string[] = [];
/** Where the worker is killed: when it has connected, or when its message is with us and our answer is not with it. */
let killAt: 'connection' | 'message' | null = null;
let worker: ChildProcess | null = null;

beforeAll(async () => {
  database = await createTestDatabase({ migrate });
  await seed({ db: database.db }, { demoMode: false, contracts: { USDC: null, USDT: null } });
  await database.run('update protocol_settings set clock_movable = true');
  server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onConnect: (_session, done) => {
      if (killAt === 'connection') worker?.kill('SIGKILL');
      else done();
    },
    onData: (stream, _session, done) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        received.push(Buffer.concat(chunks).toString('utf8'));
        if (killAt === 'message') worker?.kill('SIGKILL');
        else done();
      });
    },
  });
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.server.address();
  if (address === null || typeof address === 'string') throw new Error('the mail server has no port');
  smtpUrl = `smtp://127.0.0.1:${address.port}`;
});
afterEach(stopWorker);
afterAll(async () => {
  await new Promise<void>((resolve) => server.close(() => resolve()));
  await database.close();
});

/** The worker as it runs in production, with its one part that sends mail. Nobody listens where custody would be. */
function startWorker(): ChildProcess {
  const nobody = { CUSTODY_URL: 'http://127.0.0.1:1', CUSTODY_API_KEY: 'none' };
  const where = { DATABASE_URL: database.url, REDIS_URL: process.env.TEST_REDIS_URL, SMTP_URL: smtpUrl };
  worker = spawn(process.execPath, ['--import', 'tsx', WORKER, 'notifications'], {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, NODE_ENV: 'test', ...nobody, ...where },
    stdio: 'ignore',
  });
  return worker;
}

async function stopWorker(): Promise<void> {
  if (worker === null || worker.exitCode !== null || worker.signalCode !== null) return;
  const ended = once(worker, 'exit');
  worker.kill('SIGKILL');
  await ended;
}

async function aNotice(): Promise<string> {
  const { userId } = await openPerson(database.db, {});
  const subjectId = randomUUID();
  await queueNotice(database, { kind: 'password_reset', subjectId, userId, data: { url: 'http://localhost/x' } });
  return `<${subjectId}.password_reset@notices.cryptoex.test>`;
}

const leaseEnds = () => database.run(`update protocol_settings set clock_offset = clock_offset + interval '3 minutes'`);
const messageIds = () => received.map((text) => /^Message-ID:\s*(\S+)/im.exec(text)?.[1]);

test('a worker killed between sending and recording loses no mail: at most one repeat, under the same Message-ID', async () => {
  const [first, second] = [await aNotice(), await aNotice()];
  killAt = 'message';
  expect(await once(startWorker(), 'exit')).toEqual([null, 'SIGKILL']);
  expect(messageIds()).toEqual([first]);
  killAt = 'connection';
  // The first is under its lease; the second was not touched by the one that was killed.
  expect(await once(startWorker(), 'exit')).toEqual([null, 'SIGKILL']);
  expect(messageIds()).toEqual([first]);
  killAt = null;
  await leaseEnds();
  startWorker();
  const waiting = () => database.run('select id from notifications where sent_at is null');
  await until('both are sent', async () => (await waiting()).length === 0);
  expect(messageIds()).toEqual([first, first, second]);
});
