import type { Db, Statement } from '#server/db/database.ts';

/** A notice that no event of a withdrawal writes by itself; the rest the database writes with the event. */
export interface QueuedNotice {
  readonly kind: 'email_verification' | 'password_reset' | 'second_factor_reset';
  /** One a subject and kind: a second is the same notice. */
  readonly subjectId: string;
  readonly userId: string;
  readonly data: Readonly<Record<string, string>>;
}

/** Puts a notice into the outbox of mail, from which it is sent later. */
export async function queueNotice(deps: { db: Db }, notice: QueuedNotice): Promise<void> {
  await deps.db.query(queueNoticeSql, [notice.subjectId, notice.kind, notice.userId, notice.data]);
}

const queueNoticeSql: Statement = {
  name: 'queue_notice',
  text: `insert into notifications (subject_id, kind, user_id, data) values ($1, $2, $3, $4::jsonb) on conflict do nothing`,
};
