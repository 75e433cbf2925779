import { z } from 'zod';
import type { Db, Statement } from '#server/db/database.ts';

/** The promises that are counted while the system runs, in the order in which they hurt. */
export const INVARIANTS = ['double_transfers', 'lost', 'three_books', 'ledger', 'unresolved'] as const;
export type InvariantName = (typeof INVARIANTS)[number];

/** Four turns of the loop that counts: after that nobody does. */
export const INVARIANT_STALE_SECONDS = 120;

export interface ShownInvariant {
  name: InvariantName;
  /** Null when it could not be counted, or never was. */
  violations: number | null;
  /** A few of those that break it, for finding them. */
  examples: string[];
  /** What it was counted from. */
  counted: number | null;
  checkedAt: string | null;
  ageSeconds: number | null;
  /** Nobody has counted lately, which is an alarm of its own. */
  stale: boolean;
  brokenAt: string | null;
}

const detailSchema = z.object({
  examples: z.array(z.string()).default([]),
  counted: z.number().nullable().default(null),
});

/** What each promise came to when it was last counted. */
export async function findInvariants(deps: { db: Db }): Promise<ShownInvariant[]> {
  const rows = await deps.db.query<CheckRow>(findInvariantsSql, []);
  return INVARIANTS.map((name) => {
    const row = rows.find((one) => one.name === name);
    const detail = detailSchema.parse(row?.detail ?? {});
    return {
      name,
      violations: row === undefined || row.violations === null ? null : Number(row.violations),
      examples: detail.examples,
      counted: detail.counted,
      checkedAt: row?.checked_at.toISOString() ?? null,
      ageSeconds: row?.age_seconds ?? null,
      stale: row === undefined || row.age_seconds > INVARIANT_STALE_SECONDS,
      brokenAt: row?.broken_at?.toISOString() ?? null,
    };
  });
}

interface CheckRow {
  readonly name: string;
  readonly violations: string | null;
  readonly detail: unknown;
  readonly checked_at: Date;
  readonly broken_at: Date | null;
  readonly age_seconds: number;
}

const findInvariantsSql: Statement = {
  name: 'find_invariants',
  text: `
    select c.name, c.violations, c.detail, c.checked_at, c.broken_at, extract(epoch from protocol_now() - c.checked_at)::float8 as age_seconds
    from invariant_checks c`,
};
