import { type Refusal, refuse } from '#domain/refusal.ts';
import { type AuditEntry, appendAudit } from '#server/audit/append-audit.ts';
import type { Db, Statement } from '#server/db/database.ts';

type Asked = readonly [statement: Statement, values: readonly unknown[]];

/**
 * The first of two people's word, written down once for each id that a page made: a repeated press is told the same and does nothing.
 * In a transaction.
 *
 * @param input.insert the proposal; returns a row where it was written, and none on a conflict of its id
 * @param input.known what is written under that id already, as `same`: whether it is this very proposal
 * @param input.nothing why neither was the case
 */
export async function proposeOnce(
  deps: { db: Db },
  input: { insert: Asked; known: Asked; nothing: Refusal; audit: AuditEntry },
): Promise<{ kind: 'proposed' } | { kind: 'refused'; refusal: Refusal }> {
  const [made] = await deps.db.query(...input.insert);
  if (made !== undefined) {
    await appendAudit(deps, input.audit);
    return { kind: 'proposed' };
  }
  // In a statement of its own: the one that waited for another press does not see what that one wrote, the next one does.
  const [known] = await deps.db.query<{ same: boolean }>(...input.known);
  if (known === undefined) return { kind: 'refused', refusal: input.nothing };
  return known.same ? { kind: 'proposed' } : { kind: 'refused', refusal: refuse('already_done') };
}
