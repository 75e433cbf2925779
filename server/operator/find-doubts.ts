import { z } from 'zod';
import { formatAmount, fromMinorText } from '#domain/money.ts';
import { WITHDRAWAL_STATUSES, type WithdrawalStatus } from '#domain/withdrawal.ts';
import type { Db, Statement } from '#server/db/database.ts';
import { ageLimitSeconds } from '#server/withdrawals/status-age-limit.ts';

export interface Doubt {
  withdrawalId: string;
  status: WithdrawalStatus;
  customerEmail: string;
  asset: string;
  network: string;
  address: string;
  amount: string;
  ageSeconds: number;
  ageLimitSeconds: number | null;
  overdue: boolean;
  parkedReason: string | null;
  waitReason: string | null;
  fence: string;
  revision: string;
  sends: { attempt: number; at: string; outcome: string | null; notAfter: string | null; notAfterPassed: boolean }[];
  lastLookUp: { at: string; outcome: string | null; detail: string | null; ageSeconds: number } | null;
  nextLookUpAt: string | null;
  absenceProved: boolean;
  /** Custody's newest signed statement; `stands` while no fact and no later send speaks against it. */
  statement: { signedAt: string; attachedBy: string; attachedAt: string; stands: boolean } | null;
  /** The proposal that is bound to exactly this evidence. */
  proposal: {
    resolutionId: string;
    deed: 'release' | 'hand_back';
    proposedById: string;
    proposedBy: string;
    proposedAt: string;
    reason: string;
  } | null;
}

const time = z.coerce.date();
const sendsSchema = z.array(
  z.object({
    attempt: z.number(),
    at: time,
    outcome: z.string().nullable(),
    notAfter: time.nullable(),
    notAfterPassed: z.boolean(),
  }),
);
const lookUpSchema = z
  .object({ at: time, outcome: z.string().nullable(), detail: z.string().nullable(), ageSeconds: z.number() })
  .nullable();
const statementSchema = z
  .object({ signedAt: time, attachedBy: z.string(), attachedAt: time, stands: z.boolean() })
  .nullable();
const proposalSchema = z
  .object({
    resolutionId: z.string(),
    deed: z.enum(['release', 'hand_back']),
    proposedById: z.string(),
    proposedBy: z.string(),
    proposedAt: time,
    reason: z.string(),
  })
  .nullable();

/**
 * A page of what waits for evidence or for people: parked first, then the longest.
 *
 * @param input.limit up to 100
 * @param input.named stands before all others on the first page while it waits, and on no other
 */
export async function findDoubts(
  deps: { db: Db },
  input: { cursor: string | null; limit: number; named: string | null },
): Promise<{ items: Doubt[]; nextCursor: string | null }> {
  const { cursor, limit, named } = input;
  const rows = await deps.db.query<DoubtRow>(findDoubtsSql, [cursor]);
  const first = named === null || cursor !== null ? [] : await deps.db.query<DoubtRow>(findDoubtSql, [named]);
  const page = rows.slice(0, limit);
  return {
    items: [...first, ...page.filter(({ id }) => id !== named)].map(toDoubt),
    nextCursor: rows.length > limit ? (page.at(-1)?.id ?? null) : null,
  };
}

function toDoubt(row: DoubtRow): Doubt {
  const status = z.enum(WITHDRAWAL_STATUSES).parse(row.status);
  const lookUp = lookUpSchema.parse(row.look_up);
  const proposal = proposalSchema.parse(row.proposal);
  const statement = statementSchema.parse(row.statement);
  const limit = ageLimitSeconds({ status, parked: row.parked_reason !== null });
  return {
    withdrawalId: row.id,
    status,
    customerEmail: row.email,
    asset: row.asset_id,
    network: row.network_id,
    address: row.address,
    amount: formatAmount(fromMinorText(row.amount_minor), row.decimals),
    ageSeconds: row.age_seconds,
    ageLimitSeconds: limit,
    overdue: limit !== null && row.age_seconds > limit,
    parkedReason: row.parked_reason,
    waitReason: row.wait_reason,
    fence: row.fence,
    revision: row.revision,
    sends: sendsSchema.parse(row.sends).map((send) => ({
      ...send,
      at: send.at.toISOString(),
      notAfter: send.notAfter?.toISOString() ?? null,
    })),
    lastLookUp: lookUp && { ...lookUp, at: lookUp.at.toISOString() },
    nextLookUpAt: row.next_action_at?.toISOString() ?? null,
    absenceProved: row.absence_proved,
    statement: statement && {
      ...statement,
      signedAt: statement.signedAt.toISOString(),
      attachedAt: statement.attachedAt.toISOString(),
    },
    proposal: proposal && { ...proposal, proposedAt: proposal.proposedAt.toISOString() },
  };
}

interface DoubtRow {
  readonly id: string;
  readonly status: string;
  readonly email: string;
  readonly asset_id: string;
  readonly network_id: string;
  readonly address: string;
  readonly amount_minor: string;
  readonly decimals: number;
  readonly age_seconds: number;
  readonly parked_reason: string | null;
  readonly wait_reason: string | null;
  readonly fence: string;
  readonly revision: string;
  readonly next_action_at: Date | null;
  readonly absence_proved: boolean;
  readonly statement: unknown;
  readonly sends: unknown;
  readonly look_up: unknown;
  readonly proposal: unknown;
}

const SHOWN = `
    select w.id, w.status, u.email, w.asset_id, w.network_id, w.address, w.amount_minor, a.decimals,
      extract(epoch from protocol_now() - coalesce(w.parked_at, w.status_since))::float8 as age_seconds, w.parked_reason, w.wait_reason,
      w.fence, w.revision, w.next_action_at, w.status = 'in_doubt' and withdrawal_absence_proved(w) as absence_proved,
      (select json_build_object('signedAt', s.signed_at, 'attachedBy', p.name, 'attachedAt', s.attached_at, 'stands',
          withdrawal_statement_stands(w) or withdrawal_end_stated(w))
        from custody_statements s join users p on p.id = s.attached_by where s.withdrawal_id = w.id order by s.signed_at desc limit 1) as statement,
      (select coalesce(json_agg(json_build_object('attempt', t.attempt, 'at', t.started_at, 'outcome', t.outcome, 'notAfter', t.not_after,
          'notAfterPassed', coalesce(t.not_after <= protocol_now(), false)) order by t.attempt), '[]')
        from withdrawal_attempts t where t.withdrawal_id = w.id and t.kind = 'send') as sends,
      (select json_build_object('at', coalesce(t.outcome_at, t.started_at), 'outcome', t.outcome, 'detail', t.detail ->> 'detail',
          'ageSeconds', extract(epoch from protocol_now() - coalesce(t.outcome_at, t.started_at))::float8)
        from withdrawal_attempts t where t.withdrawal_id = w.id and t.kind = 'look_up' order by t.attempt desc limit 1) as look_up,
      (select json_build_object('resolutionId', r.id, 'deed', r.deed, 'proposedById', r.proposed_by, 'proposedBy', p.name, 'proposedAt', r.proposed_at, 'reason', r.reason)
        from withdrawal_resolutions r join users p on p.id = r.proposed_by
        where r.withdrawal_id = w.id and r.confirmed_at is null and r.fence = w.fence and r.revision = w.revision
        order by r.proposed_at desc limit 1) as proposal`;
const NAMES = 'join users u on u.id = w.customer_id join assets a on a.id = w.asset_id';

const findDoubtSql: Statement = {
  name: 'find_doubt',
  text: `${SHOWN} from withdrawals w ${NAMES} where w.id = $1 and (w.parked_at is not null or w.status = 'in_doubt')`,
};

/** A page of 100 and one more, written out: behind a parameter the planner expects a tenth of everything. */
const ROWS = 101;

/**
 * Parked ones by when they were parked, and behind the last of them the others by when they came into doubt; each by its own index.
 * Without a cursor, and behind one that is parked, the others begin with their first.
 *
 * $1 cursor
 */
const findDoubtsSql: Statement = {
  name: 'find_doubts',
  text: `
    with cur as (
      select coalesce(c.id, '00000000-0000-0000-0000-000000000000') as id, case when c.id is null then '-infinity' else coalesce(c.parked_at, 'infinity') end as parked_at,
        case when c.parked_at is null then coalesce(c.status_since, '-infinity') else '-infinity' end as doubted_at
      from (select 1) one left join withdrawals c on c.id = $1::uuid
    ), found as (
      (select x.id, 0 as unparked, x.parked_at as since from withdrawals x
        where x.parked_at is not null and (x.parked_at, x.id) > ((select cur.parked_at from cur), (select cur.id from cur)) order by x.parked_at, x.id limit ${ROWS})
      union all
      (select x.id, 1, x.status_since from withdrawals x
        where x.status = 'in_doubt' and x.parked_at is null and (x.status_since, x.id) > ((select cur.doubted_at from cur), (select cur.id from cur))
        order by x.status_since, x.id limit ${ROWS})
      order by 2, 3, 1 limit ${ROWS}
    )${SHOWN}
    from found f join withdrawals w on w.id = f.id ${NAMES} order by f.unparked, f.since, f.id`,
};
