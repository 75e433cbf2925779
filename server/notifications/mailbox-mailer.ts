import type { Db, Statement } from '#server/db/database.ts';
import type { Mailer } from '#server/notifications/mailer.ts';

/** The demo's mail server: a table. A repeat finds its message there, as in a mailbox that knows the Message-ID. */
export function createMailboxMailer(deps: { db: Db }): Mailer {
  return {
    deliver: async (mail) => {
      await deps.db.query(keepMailSql, [mail.messageId, mail.userId, mail.to, mail.subject, mail.text]);
      return { kind: 'delivered' };
    },
    close: () => undefined,
  };
}

const keepMailSql: Statement = {
  name: 'keep_mail',
  text: `
    insert into mailbox_messages (message_id, user_id, to_address, subject, body) values ($1, $2, $3, $4, $5)
    on conflict do nothing`,
};
