import type { Statement } from '#server/db/database.ts';
import { BY_DOMAIN, ofDomain } from '#server/sql/of-domain.sql.ts';
import { withdrawalColumns } from '#server/sql/withdrawal-columns.sql.ts';

/** Literally, so that the planner sees which partial index a branch may use; a parameter would hide it. */
const ENDED = `('completed', 'failed', 'cancelled', 'rejected', 'refused')`;

const SHOWN = `
    select protocol_now() as now, u.email as customer_email, ${withdrawalColumns('w')},
      (select count(*)::integer from withdrawal_attempts t where t.withdrawal_id = w.id and t.kind = 'send') as attempts
    from found f join withdrawals w on w.id = f.id join users u on u.id = w.customer_id`;

/** A key that was given up is a refusal without a request. */
const REQUESTED = `w.refusal_code is distinct from 'given_up'`;
// Scalars, and not a join: only so is the place in the index where the page begins, and no sort of what comes behind it.
const BEFORE_CURSOR = `(w.requested_at, w.id) < ((select cur.requested_at from cur), (select cur.id from cur))`;
/**
 * How many rows a read takes: a page and one more, or a part of a file and one more. Written out: behind a parameter the planner
 * expects a tenth of everything, and reads the table for it.
 */
export const LIST_ROWS = { page: 101, file: 1_001 } as const;
export type ListSize = keyof typeof LIST_ROWS;
const newest = (size: ListSize) => `order by w.requested_at desc, w.id desc limit ${LIST_ROWS[size]}`;
const CURSOR = `
    with cur as (
      select coalesce(c.requested_at, 'infinity') as requested_at, coalesce(c.id, 'ffffffff-ffff-ffff-ffff-ffffffffffff') as id,
        case when c.id is null then -1 else (c.parked_at is null)::integer end as unparked, coalesce(c.status_since, '-infinity') as parked_since,
        coalesce(c.ended_at, 'infinity') as ended_at,
        case when c.parked_at is null then coalesce(c.status_since, '-infinity') else '-infinity' end as unparked_since
      from (select 1) one left join withdrawals c on c.id = $1::uuid
    )`;

/** Each status by itself, newest first: an index range each, however rare it is among millions. */
const newestByStatus = (size: ListSize) => `
      select n.id, n.requested_at from unnest($2::text[]) s(status) cross join lateral (
        (select w.id, w.requested_at from withdrawals w
          where w.status = s.status and w.status in ${ENDED} and ${REQUESTED} and ${BEFORE_CURSOR} ${newest(size)})
        union all
        -- Found by the small index of what is open, and sorted then: told how many are wanted, the planner may walk down all withdrawals, the
        -- newest first, until it has met so many (of a status that is none of the open ones: all of them, 690 ms among a million).
        (select o.id, o.requested_at from (
          select w.id, w.requested_at from withdrawals w
            where w.status = s.status and w.status not in ${ENDED} and ${REQUESTED} and ${BEFORE_CURSOR} offset 0) o
          order by o.requested_at desc, o.id desc limit ${LIST_ROWS[size]})
      ) n order by n.requested_at desc, n.id desc limit ${LIST_ROWS[size]}`;

/** $1 cursor. */
export const findNewestWithdrawalsSql = (size: ListSize): Statement => ({
  name: `find_newest_withdrawals_${size}`,
  text: `${CURSOR}, found as (
      select w.id, w.requested_at from withdrawals w where ${REQUESTED} and ${BEFORE_CURSOR} ${newest(size)}
    )${SHOWN} order by w.requested_at desc, w.id desc`,
});

/** $1 cursor, $2 statuses. */
export const findNewestOfStatusesSql = (size: ListSize): Statement => ({
  name: `find_newest_of_statuses_${size}`,
  text: `${CURSOR}, found as (${newestByStatus(size)}
    )${SHOWN} order by w.requested_at desc, w.id desc`,
});

// Nobody is parked behind somebody who is not; without a cursor the least time is before every row's.
const WORSE = `(0, w.status_since, w.id) > ((select cur.unparked from cur), (select cur.parked_since from cur), (select cur.id from cur))`;
const LONG_ENOUGH = `(case when $3::integer is null then 'infinity' else protocol_now() - $3::integer * interval '1 second' end)`;
const LESS_BAD = `(w.status_since, w.id) > ((select cur.unparked_since from cur), (select cur.id from cur))`;

/**
 * What waits for people first, then the longest in its status. Only what is open: what has ended has nothing worse to come.
 *
 * $1 cursor, $2 open statuses, $3 in its status for so many seconds or more, by the database's clock, or null
 */
export const findWorstWithdrawalsSql = (size: ListSize): Statement => ({
  name: `find_worst_withdrawals_${size}`,
  text: `${CURSOR}, found as (
      (select w.id, 0 as unparked, w.status_since from withdrawals w
        where w.parked_at is not null and w.status = any ($2::text[]) and w.status_since <= ${LONG_ENOUGH} and ${WORSE} order by w.status_since, w.id limit ${LIST_ROWS[size]})
      union all
      (select n.id, 1, n.status_since from unnest($2::text[]) s(status) cross join lateral (
        select w.id, w.status_since from withdrawals w
        where w.status = s.status and w.status not in ${ENDED} and w.parked_at is null and w.status_since <= ${LONG_ENOUGH} and ${LESS_BAD}
        order by w.status_since, w.id limit ${LIST_ROWS[size]}) n)
      order by 2, 3, 1 limit ${LIST_ROWS[size]}
    )${SHOWN} order by (w.parked_at is null)::integer, w.status_since, w.id`,
});

/** What failed since a time, the last first. $1 cursor, $2 since */
export const findFailedSinceSql = (size: ListSize): Statement => ({
  name: `find_failed_since_${size}`,
  text: `${CURSOR}, found as (
      select w.id from withdrawals w where w.status = 'failed' and w.ended_at >= $2::timestamptz
        and (w.ended_at, w.id) < ((select cur.ended_at from cur), (select cur.id from cur))
      order by w.ended_at desc, w.id desc limit ${LIST_ROWS[size]}
    )${SHOWN} order by w.ended_at desc, w.id desc`,
});

const OF_STATUS = `($2::text[] is null or w.status = any ($2)) and ${REQUESTED} and ${BEFORE_CURSOR}`;
const byValue = (condition: string, size: ListSize) => `
      (select w.id, w.requested_at from withdrawals w where ${condition} and ${OF_STATUS} ${newest(size)})`;

/**
 * Whatever names a withdrawal, each way by its own index: its id, key, customer, address, transaction or transfer, or how the customer's
 * e-mail begins, or its domain. Of so many customers the first fifty: whoever finds more types one letter more.
 *
 * $1 cursor, $2 statuses or null, $3 the text in lower case, $4 the text as typed, $5 it as a UUID or null, $6 it as a domain or null
 */
export const searchWithdrawalsSql = (size: ListSize): Statement => ({
  name: `search_withdrawals_${size}`,
  text: `${CURSOR}, found as (
      select a.id, a.requested_at from (${[
        'w.id = $5::uuid',
        'w.idempotency_key = $5::uuid',
        'w.customer_id = $5::uuid',
        'lower(w.address) = $3::text',
        'w.transaction_hash = any (array[$3::text, $4::text])',
        'w.transfer_id = any (array[$3::text, $4::text])',
      ]
        .map((condition) => byValue(condition, size))
        .join('\n      union')}
      union
      (select n.id, n.requested_at from (
          (select u.id from users u where u.email >= $3::text and u.email < $3::text || chr(1114111) order by u.email limit 50)
          union (select u.id from users u
            where ${ofDomain('$6::text', "''")}
            order by ${BY_DOMAIN} limit 50)
        ) c cross join lateral (
          select w.id, w.requested_at from withdrawals w where w.customer_id = c.id and ${OF_STATUS} ${newest(size)}
        ) n)) a order by a.requested_at desc, a.id desc limit ${LIST_ROWS[size]}
    )${SHOWN} order by w.requested_at desc, w.id desc`,
});

/**
 * Counted to here and no further: millions take a second to count. How many wait is asked of ten thousand; of what has ended, behind
 * "1000" nobody needs the rest, and each of five statuses is as many rows that are nowhere else looked at.
 */
export const COUNTED_MAX = { open: 10_000, ended: 1_000 } as const;

/** How many there are in each status, one more than `COUNTED_MAX` where there are more. $1 statuses */
export const countWithdrawalsSql: Statement = {
  name: 'count_withdrawals',
  text: `
    select s.status, (select count(*)::integer from (
        (select 1 from withdrawals w where w.status = s.status and w.status in ${ENDED} and ${REQUESTED}
          order by w.requested_at desc, w.id desc limit ${COUNTED_MAX.ended + 1})
        union all (select 1 from withdrawals w where w.status = s.status and w.status not in ${ENDED}
          order by w.status_since limit ${COUNTED_MAX.open + 1})) x) as count
    from unnest($1::text[]) s(status)`,
};
