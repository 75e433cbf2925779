import type { Db, Statement } from '#server/db/database.ts';

export interface MailboxMessage {
  messageId: string;
  to: string;
  subject: string;
  text: string;
  receivedAt: string;
}

/** The newest messages of one person in the demo's mailbox. */
export async function findMailbox(deps: { db: Db }, input: { userId: string }): Promise<readonly MailboxMessage[]> {
  const rows = await deps.db.query<MessageRow>(findMailboxSql, [input.userId]);
  return rows.map((row) => ({
    messageId: row.message_id,
    to: row.to_address,
    subject: row.subject,
    text: row.body,
    receivedAt: row.received_at.toISOString(),
  }));
}

interface MessageRow {
  readonly message_id: string;
  readonly to_address: string;
  readonly subject: string;
  readonly body: string;
  readonly received_at: Date;
}

const findMailboxSql: Statement = {
  name: 'find_mailbox',
  text: `
    select message_id, to_address, subject, body, received_at from mailbox_messages
    where user_id = $1 order by received_at desc, message_id limit 50`,
};
