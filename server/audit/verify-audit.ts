import type { Db, Statement } from '#server/db/database.ts';

/** Where somebody who verifies stands: the last row that they have read, and its hash. Whoever kept both elsewhere begins there. */
export interface AuditPlace {
  readonly seq: bigint;
  readonly hash: string;
}

/** Before the first row. */
export const AUDIT_BEGINNING: AuditPlace = { seq: 0n, hash: '' };

export interface VerifiedAudit {
  /** How many rows were read. */
  readonly rows: number;
  /** The last row that was read; where it began, when there was none. */
  readonly through: AuditPlace;
  /** The first row that is not what its hash says, does not follow from the one before it, or is no longer where we began. */
  readonly firstBreak: bigint | null;
  readonly more: boolean;
}

/**
 * Reads a part of the chain: every row's own hash, and that each follows from the one before it, the first from the place where it begins,
 * which is still there as it was.
 * Nothing is remembered between parts but the place: what was verified before and changed since does not hold by an older word of ours.
 *
 * @param input.rows so many at most
 */
export async function verifyAudit(
  deps: { db: Db },
  input: { after: AuditPlace; rows: number },
): Promise<VerifiedAudit> {
  const { after, rows } = input;
  const [row] = await deps.db.query<VerifiedRow>(verifyAuditSql, [after.seq.toString(), after.hash, rows]);
  const firstBreak = row?.first_break ?? null;
  const seq = row?.through_seq ?? null;
  const hash = row?.through_hash ?? null;
  return {
    rows: row?.rows ?? 0,
    through: seq === null || hash === null ? after : { seq: BigInt(seq), hash },
    firstBreak: firstBreak === null ? null : BigInt(firstBreak),
    more: row?.rows === rows,
  };
}

interface VerifiedRow {
  readonly rows: number;
  readonly through_seq: string | null;
  readonly through_hash: string | null;
  readonly first_break: string | null;
}

const verifyAuditSql: Statement = {
  name: 'verify_audit',
  text: `
    with part as (
      select l.seq, l.hash, l.hash is distinct from audit_log_hash(l)
        or l.previous_hash is distinct from lag(l.hash, 1, $2::text) over (order by l.seq) as broken
      from (select * from audit_log a where a.seq > $1::bigint order by a.seq limit $3::integer) l
    )
    select count(*)::integer as rows, max(p.seq) as through_seq,
      -- The place itself first: an end that was cut off leaves nothing behind it that could be wrong.
      case when $1::bigint > 0 and not exists (select from audit_log k where k.seq = $1::bigint and k.hash = $2::text) then $1::bigint
        else min(p.seq) filter (where p.broken) end as first_break,
      (select n.hash from part n order by n.seq desc limit 1) as through_hash
    from part p`,
};
