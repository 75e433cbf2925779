import { z } from 'zod';
import { invariant } from '#domain/invariant.ts';
import type { Db } from '#server/db/database.ts';
import { findEvidenceSql } from '#server/sql/find-evidence.sql.ts';

const text = z.string();
const time = z.string().transform((value) => new Date(value));

const evidenceSchema = z.object({
  customer_email: text,
  history: z.array(
    z.object({
      from: text.nullable(),
      to: text,
      at: time,
      actor: text,
      /** Where a person did it. */
      actorName: text.nullable(),
      reason: text,
      /** What that person gave as their reason. */
      note: text.nullable(),
      fence: text,
    }),
  ),
  attempts: z.array(
    z.object({
      attempt: z.number(),
      kind: z.enum(['send', 'look_up']),
      startedAt: time,
      bodySha256: text.nullable(),
      outcome: text.nullable(),
      outcomeAt: time.nullable(),
      detail: z.record(z.string(), z.unknown()),
      notAfter: time.nullable(),
      lateOutcome: text.nullable(),
    }),
  ),
  events: z.array(
    z.object({
      id: text,
      type: text,
      receivedAt: time,
      appliedAt: time.nullable(),
      outcome: text.nullable(),
      reason: text.nullable(),
    }),
  ),
  ledger: z.array(
    z.object({ kind: text, at: time, leg: z.number(), debit: text, credit: text, amountMinor: text.transform(BigInt) }),
  ),
  transactions: z.array(
    z.object({ hash: text, source: text, at: time, deadAt: time.nullable(), deadReason: text.nullable() }),
  ),
  effects: z.array(z.object({ hash: text, block: text, state: text, at: time })),
});

/** What was written about a withdrawal beside its row: every move, attempt, event, posting and effect, in order. */
export type Evidence = z.infer<typeof evidenceSchema>;

/** Reads the evidence of a withdrawal that is known to exist. */
export async function findEvidence(deps: { db: Db }, input: { withdrawalId: string }): Promise<Evidence> {
  const [row] = await deps.db.query<object>(findEvidenceSql, [input.withdrawalId]);
  invariant(row !== undefined, 'withdrawals_never_deleted');
  return evidenceSchema.parse(row);
}

/** The few words of an attempt's or event's detail that people read; null where there is nothing to say. */
export function detailText(detail: Readonly<Record<string, unknown>>): string | null {
  const words = Object.entries(detail).flatMap(([name, value]) =>
    typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? `${name}: ${value}` : [],
  );
  return words.length === 0 ? null : words.join(', ');
}
