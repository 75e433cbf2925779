import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openPerson } from '#server/api/api-world.test-support.ts';
import { createTestDatabase, type TestDatabase } from '#server/db/test-database.ts';
import { findMailbox } from '#server/notifications/find-mailbox.ts';
import { createMailboxMailer } from '#server/notifications/mailbox-mailer.ts';
import type { Mailer } from '#server/notifications/mailer.ts';
import { queueNotice } from '#server/notifications/queue-notice.ts';
import { sendNotifications } from '#server/notifications/send-notifications.ts';
import { createSmtpMailer } from '#server/notifications/smtp-mailer.ts';
import { migrate } from '../../prisma/migrate.ts';
import { seed } from '../../prisma/seed.ts';

let database: TestDatabase;
let server: SMTPServer;
let mailer: Mailer;
/** What the mail server took, as it came. */
let received: string[] = [];
/** What it answers to the end of the next message: takes it, says no, or takes it and hangs up without a word. */
let manners: 'take' | 'refuse' | 'take_and_hang_up' = 'take';

beforeAll(async () => {
  database = await createTestDatabase({ migrate });
  await seed({ db: database.db }, { demoMode: false, contracts: { USDC: null, USDT: null } });
  await database.run('update protocol_settings set clock_movable = true');
  server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData: (stream, session, done) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8');
        if (manners === 'refuse') return done(Object.assign(new Error('mailbox full'), { responseCode: 452 }));
        received.push(text);
        if (manners === 'take') return done();
        for (const connection of server.connections) if (connection.session.id === session.id) connection.close();
      });
    },
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const port = toPort(server.server.address());
  mailer = createSmtpMailer({ url: `smtp://127.0.0.1:${port}`, timeoutMs: 3_000 });
});
afterAll(async () => {
  mailer.close();
  await new Promise<void>((resolve) => server.close(() => resolve()));
  await database.close();
});
beforeEach(async () => {
  received = [];
  manners = 'take';
  await database.run('update notifications set given_up_at = now() where sent_at is null');
});

function toPort(address: AddressInfo | string | null): number {
  if (address === null || typeof address === 'string') throw new Error('the mail server has no port');
  return address.port;
}

const LEASE = { limit: 10, leaseMs: 60_000 };
const send = () => sendNotifications({ db: database.db, mailer }, LEASE);
const leaseEnds = () => database.run(`update protocol_settings set clock_offset = clock_offset + interval '2 minutes'`);
const messageIds = () => received.map((text) => /^Message-ID:\s*(\S+)/im.exec(text)?.[1]);

async function aReset(): Promise<{ subjectId: string; userId: string }> {
  const { userId } = await openPerson(database.db, {});
  const subjectId = randomUUID();
  await queueNotice(database, {
    kind: 'password_reset',
    subjectId,
    userId,
    data: { url: 'http://localhost:3000/reset/abc' },
  });
  return { subjectId, userId };
}

test('an event is told once, with a Message-ID made of subject and kind', async () => {
  const { subjectId, userId } = await aReset();
  await queueNotice(database, { kind: 'password_reset', subjectId, userId, data: {} });
  expect(await send()).toEqual({ taken: 1, sent: 1 });
  expect(await send()).toEqual({ taken: 0, sent: 0 });
  expect(messageIds()).toEqual([`<${subjectId}.password_reset@notices.cryptoex.test>`]);
  expect(received[0]).toContain('http://localhost:3000/reset/abc');
});

test('killed in the middle of sending: one repeat under the same Message-ID, and never a third', async () => {
  const { subjectId } = await aReset();
  // The process that took the notice is gone after the last byte, before it could write anything down.
  const killed: Mailer = {
    deliver: async (mail) => {
      await mailer.deliver(mail);
      throw new Error('killed');
    },
    close: () => undefined,
  };
  await expect(sendNotifications({ db: database.db, mailer: killed }, LEASE)).rejects.toThrow('killed');
  expect(await send()).toEqual({ taken: 0, sent: 0 });
  await leaseEnds();
  await expect(sendNotifications({ db: database.db, mailer: killed }, LEASE)).rejects.toThrow('killed');
  await leaseEnds();
  expect(await send()).toEqual({ taken: 0, sent: 0 });
  const id = `<${subjectId}.password_reset@notices.cryptoex.test>`;
  expect(messageIds()).toEqual([id, id]);
});

test('a server that takes the message and hangs up leaves it unclear: one repeat, the same Message-ID', async () => {
  await aReset();
  manners = 'take_and_hang_up';
  expect(await send()).toEqual({ taken: 1, sent: 0 });
  manners = 'take';
  await leaseEnds();
  expect(await send()).toEqual({ taken: 1, sent: 1 });
  expect(new Set(messageIds()).size).toBe(1);
  expect(received).toHaveLength(2);
});

test('what the server certainly did not take does not count as a try, however often', async () => {
  const { subjectId } = await aReset();
  manners = 'refuse';
  for (let turn = 0; turn < 4; turn += 1) {
    expect(await send()).toEqual({ taken: 1, sent: 0 });
    await leaseEnds();
  }
  const [row] = await database.run(
    'select sends_begun, failures, last_error from notifications where subject_id = $1',
    [subjectId],
  );
  expect(row).toMatchObject({ sends_begun: 0, failures: 4, last_error: expect.stringContaining('mailbox full') });
  manners = 'take';
  expect(await send()).toEqual({ taken: 1, sent: 1 });
});

test('nobody listening is a certain no as well', async () => {
  await aReset();
  const nobody = createSmtpMailer({ url: 'smtp://127.0.0.1:1', timeoutMs: 1_000 });
  expect(await sendNotifications({ db: database.db, mailer: nobody }, LEASE)).toEqual({ taken: 1, sent: 0 });
  await leaseEnds();
  expect(await send()).toEqual({ taken: 1, sent: 1 });
});

test('two senders share the work: every notice once', async () => {
  for (let turn = 0; turn < 10; turn += 1) await aReset();
  const counts = await Promise.all([send(), send()]);
  expect(counts.reduce((sum, { sent }) => sum + sent, 0)).toBe(10);
  expect(new Set(messageIds()).size).toBe(10);
  expect(received).toHaveLength(10);
});

test('a withdrawal tells what happens to it, each step once, with its amount and its address in full', async () => {
  const { userId } = await openPerson(database.db, { balances: { USDC: 100_000_000n } });
  const address = `0x${'ab'.repeat(20)}`;
  const [row] = await database.run<{ id: string }>(
    `select (w).id from request_withdrawal(gen_random_uuid(), gen_random_uuid(), $1, 'USDC', 'ethereum', $2, null, 12500000, 500000, 'on_top',
       null, false, null, null, 50)`,
    [userId, address],
  );
  await database.run(
    `with moved as (update withdrawals w set status = 'cancelled' where id = $1 returning w as w, w.id), told as (
       insert into withdrawal_history (withdrawal_id, from_status, to_status, actor, reason) select id, 'queued', 'cancelled', 'customer', 'x' from moved)
     select ledger_void(m.w) from moved m`,
    [row?.id],
  );
  await sendNotifications({ db: database.db, mailer: createMailboxMailer(database) }, LEASE);
  const messages = await findMailbox(database, { userId });
  expect(messages.map(({ subject }) => subject).sort()).toEqual([
    'Withdrawal cancelled: 12.5 USDC',
    'Withdrawal requested: 12.5 USDC',
  ]);
  for (const { text } of messages) expect(text).toContain(address);
});

test('a changed password and a new address tell their owner', async () => {
  const { userId } = await openPerson(database.db, {});
  await database.run(`select freeze_after_security_change($1, 'password')`, [userId]);
  await database.run(
    `insert into address_book (id, customer_id, network_id, address, label) values (gen_random_uuid(), $1, 'ethereum', '0xabc', 'Cold')`,
    [userId],
  );
  await sendNotifications({ db: database.db, mailer: createMailboxMailer(database) }, LEASE);
  const subjects = (await findMailbox(database, { userId })).map(({ subject }) => subject);
  expect(subjects.sort()).toEqual(['A new address in your address book', 'Your sign-in was changed']);
});
