import type { Db, Statement } from '#server/db/database.ts';
import { logger } from '#server/logger.ts';
import type { Delivery, Mailer } from '#server/notifications/mailer.ts';
import { type NoticeFacts, type NoticeKind, writeNotice } from '#server/notifications/notice-text.ts';

/**
 * Sends what waits, one after the other. A notice is marked as begun just before its first byte leaves, so whoever is killed
 * leaves one that is unclear and the others untouched. What was cut off in the middle is repeated once, under the same
 * Message-ID, and never a third time. What the mail server certainly did not take does not count.
 *
 * @param input.leaseMs how long a begun notice belongs to whoever began it; longer than one send can take
 */
export async function sendNotifications(
  deps: { db: Db; mailer: Mailer },
  input: { limit: number; leaseMs: number },
): Promise<{ taken: number; sent: number }> {
  await deps.db.query(giveUpUnclearSql, []);
  let [taken, sent] = [0, 0];
  while (taken < input.limit) {
    const [row] = await deps.db.query<TakenRow>(takeNotificationSql, [input.leaseMs]);
    if (row === undefined) break;
    taken += 1;
    const mail = { messageId: row.message_id, userId: row.user_id, to: row.email, ...writeNotice(toFacts(row)) };
    const delivery = await deps.mailer.deliver(mail);
    await keep(deps, row.id, delivery);
    if (delivery.kind === 'delivered') sent += 1;
    else logger().warn('notification.not_sent', { notificationId: row.id, kind: row.kind, outcome: delivery.kind });
  }
  return { taken, sent };
}

async function keep(deps: { db: Db }, id: string, delivery: Delivery): Promise<void> {
  if (delivery.kind === 'delivered') await deps.db.query(markSentSql, [id]);
  else if (delivery.kind === 'not_delivered') await deps.db.query(markNotSentSql, [id, delivery.detail]);
  // Unclear: it stays begun, and is repeated when its lease has run out.
  else await deps.db.query(markUnclearSql, [id, delivery.detail]);
}

interface TakenRow {
  readonly id: string;
  readonly kind: NoticeKind;
  readonly message_id: string;
  readonly user_id: string;
  readonly email: string;
  readonly name: string;
  readonly language: string;
  readonly data: Record<string, unknown>;
  readonly withdrawal_id: string | null;
  readonly asset_id: string;
  readonly network_name: string;
  readonly address: string;
  readonly amount_minor: string;
  readonly decimals: number;
  readonly transaction_hash: string | null;
}

function toFacts(row: TakenRow): NoticeFacts {
  const { kind, name, data, withdrawal_id: id } = row;
  const language = row.language === 'de' ? 'de' : 'en';
  if (id === null) return { kind, name, language, data, withdrawal: null };
  return {
    kind,
    name,
    language,
    data,
    withdrawal: {
      id,
      asset: row.asset_id,
      network: row.network_name,
      address: row.address,
      amountMinor: row.amount_minor,
      decimals: row.decimals,
      transactionHash: row.transaction_hash,
    },
  };
}

/** Twice begun and twice without an end: a third might be the third that arrives. */
const giveUpUnclearSql: Statement = {
  name: 'give_up_unclear_notifications',
  text: `
    update notifications set given_up_at = protocol_now()
    where sent_at is null and given_up_at is null and sends_begun >= 2 and next_attempt_at <= protocol_now()`,
};

const takeNotificationSql: Statement = {
  name: 'take_notification',
  text: `
    with taken as (
      update notifications n set sends_begun = n.sends_begun + 1, next_attempt_at = protocol_now() + $1 * interval '1 millisecond'
      where n.id = (
        select x.id from notifications x
        where x.sent_at is null and x.given_up_at is null and x.next_attempt_at <= protocol_now() and x.sends_begun < 2
        order by x.next_attempt_at, x.id limit 1 for update skip locked)
      returning n.*
    )
    select t.id, t.kind, t.message_id, t.user_id, u.email, u.name, u.language, t.data, w.id as withdrawal_id, w.asset_id, n.name as network_name,
      w.address, w.amount_minor, a.decimals, w.transaction_hash
    from taken t join users u on u.id = t.user_id
    left join withdrawals w on w.id = t.subject_id and t.kind like 'withdrawal\\_%'
    left join assets a on a.id = w.asset_id left join networks n on n.id = w.network_id`,
};

const markSentSql: Statement = {
  name: 'mark_notification_sent',
  text: 'update notifications set sent_at = protocol_now(), last_error = null where id = $1',
};

/** Waits twice as long each time, an hour at most; after twenty times nobody reads it any more. */
const markNotSentSql: Statement = {
  name: 'mark_notification_not_sent',
  text: `
    update notifications set sends_begun = sends_begun - 1, failures = failures + 1, last_error = $2,
      next_attempt_at = protocol_now() + least(interval '1 hour', interval '5 seconds' * power(2, least(failures, 12))),
      given_up_at = case when failures >= 19 then protocol_now() end
    where id = $1`,
};

const markUnclearSql: Statement = {
  name: 'mark_notification_unclear',
  text: 'update notifications set last_error = $2 where id = $1',
};
