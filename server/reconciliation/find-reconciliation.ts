import type { Db, Statement } from '#server/db/database.ts';

export interface ShownRun {
  runId: string;
  cause: string;
  askedBy: string;
  askedAt: string;
  startedAt: string | null;
  endedAt: string | null;
  outcome: string | null;
  reason: string | null;
  transfers: number;
  findings: number;
}

export interface ShownDiscrepancy {
  discrepancyId: string;
  books: string;
  kind: string;
  subject: string;
  withdrawalId: string | null;
  /** The case that a person made of it. */
  caseId: string | null;
  detail: Record<string, unknown>;
  openedAt: string;
  lastSeenAt: string;
  closedAt: string | null;
  closedReason: string | null;
}

export interface ShownMode {
  mode: 'normal' | 'look_up_only';
  reason: string | null;
  since: string | null;
  /** What is open since then, for confirming its end; null in normal mode. */
  spellId: string | null;
  endProposedBy: string | null;
  /** Transfers that our database did not know as sent. */
  evidence: { transferId: string; reference: string; belief: string }[];
  lookedAt: string | null;
}

/** A page of runs, the newest first, from behind the one named as cursor. */
export async function findRuns(
  deps: { db: Db },
  input: { cursor: string | null; limit: number },
): Promise<{ runs: ShownRun[]; nextCursor: string | null }> {
  const rows = await deps.db.query<ShownRun & object>(findRunsSql, [input.cursor, input.limit + 1]);
  const runs = rows.slice(0, input.limit);
  return { runs, nextCursor: rows.length > input.limit ? (runs.at(-1)?.runId ?? null) : null };
}

/** A page of findings, the open ones or all, the newest first. */
export async function findDiscrepancyPage(
  deps: { db: Db },
  input: { cursor: string | null; limit: number; open: boolean },
): Promise<{ items: ShownDiscrepancy[]; nextCursor: string | null }> {
  const { cursor, limit, open } = input;
  const rows = await deps.db.query<ShownDiscrepancy & object>(findPageSql, [cursor, limit + 1, open]);
  const items = rows.slice(0, limit);
  return { items, nextCursor: rows.length > limit ? (items.at(-1)?.discrepancyId ?? null) : null };
}

/** Whether we pay or only look, since when, and who said that it may end. */
export async function findMode(deps: { db: Db }): Promise<ShownMode> {
  const [row] = await deps.db.query<ShownMode & object>(findModeSql, []);
  if (row === undefined) throw new Error('a database without its settings');
  return row;
}

const iso = (column: string) => `to_char(${column} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

const findRunsSql: Statement = {
  name: 'find_reconciliation_runs',
  text: `
    select r.id::text as "runId", r.cause, r.asked_by as "askedBy", ${iso('r.asked_at')} as "askedAt", ${iso('r.started_at')} as "startedAt",
      ${iso('r.ended_at')} as "endedAt", r.outcome, r.reason, r.transfers, r.findings
    from reconciliation_runs r
    where $1::bigint is null or (r.asked_at, r.id) < (select c.asked_at, c.id from reconciliation_runs c where c.id = $1::bigint)
    order by r.asked_at desc, r.id desc limit $2`,
};

const findPageSql: Statement = {
  name: 'find_discrepancy_page',
  text: `
    select d.id as "discrepancyId", d.books, d.kind, d.subject, d.withdrawal_id as "withdrawalId", d.detail,
      (select c.id from cases c where c.fingerprint = 'found_by_reconciliation:' || d.id::text) as "caseId",
      ${iso('d.opened_at')} as "openedAt", ${iso('d.last_seen_at')} as "lastSeenAt", ${iso('d.closed_at')} as "closedAt", d.closed_reason as "closedReason"
    from reconciliation_discrepancies d
    where ($1::uuid is null or (d.opened_at, d.id) < (select c.opened_at, c.id from reconciliation_discrepancies c where c.id = $1::uuid))
      and (not $3::boolean or d.closed_at is null)
    order by d.opened_at desc, d.id desc limit $2`,
};

const findModeSql: Statement = {
  name: 'find_mode',
  text: `
    select s.mode, s.mode_reason as reason, ${iso('s.mode_since')} as since, x.id::text as "spellId", x.end_proposed_by::text as "endProposedBy",
      coalesce((select jsonb_agg(jsonb_build_object('transferId', e.transfer_id, 'reference', e.reference, 'belief', e.belief) order by e.transfer_id)
        from (select * from look_up_only_evidence v where v.spell_id = x.id order by v.transfer_id limit 100) e), '[]') as evidence,
      (select ${iso('max(r.ended_at)')} from reconciliation_runs r where r.outcome <> 'failed') as "lookedAt"
    from protocol_settings s left join look_up_only_spells x on x.ended_at is null`,
};
