import { type Refusal, refuse } from '#domain/refusal.ts';
import { appendAudit } from '#server/audit/append-audit.ts';
import type { Database, Statement } from '#server/db/database.ts';
import { refusalOfGuard } from '#server/operator/refusal-of-guard.ts';

export const RESOLUTION_DEEDS = ['release', 'hand_back'] as const;
export type ResolutionDeed = (typeof RESOLUTION_DEEDS)[number];

export interface ResolutionProposal {
  /** Made by the page, so that pressing twice proposes once. */
  readonly resolutionId: string;
  readonly withdrawalId: string;
  readonly deed: ResolutionDeed;
  /** The evidence that was on the screen. */
  readonly fence: bigint;
  readonly revision: bigint;
  readonly reason: string;
  readonly actorId: string;
}

/**
 * The first of two people says how a withdrawal in doubt should end. Nothing moves. The database compares the evidence, and
 * takes no release without proof of absence, however old the case (`withdrawal_resolutions_*`).
 */
export async function proposeResolution(
  deps: { db: Database },
  input: ResolutionProposal,
): Promise<{ kind: 'proposed' | 'already_proposed' } | { kind: 'refused'; refusal: Refusal }> {
  const { resolutionId, withdrawalId, deed, fence, revision, reason, actorId } = input;
  try {
    return await deps.db.transaction(async (tx) => {
      const [known] = await tx.query<{ same: boolean }>(findKnownSql, [resolutionId, withdrawalId, deed, actorId]);
      if (known !== undefined) {
        return known.same
          ? { kind: 'already_proposed' as const }
          : { kind: 'refused' as const, refusal: refuse('changed_meanwhile') };
      }
      const values = [resolutionId, withdrawalId, deed, fence.toString(), revision.toString(), reason, actorId];
      await tx.query(proposeResolutionSql, values);
      const after = { resolutionId, deed, fence: fence.toString(), revision: revision.toString(), reason };
      const action = 'withdrawal.propose_resolution';
      await appendAudit({ db: tx }, { actorId, action, subject: withdrawalId, before: null, after });
      return { kind: 'proposed' as const };
    });
  } catch (error) {
    return { kind: 'refused', refusal: refusalOfGuard(error) };
  }
}

const findKnownSql: Statement = {
  name: 'find_known_resolution',
  text: `
    select r.withdrawal_id = $2 and r.deed = $3 and r.proposed_by = $4 as same from withdrawal_resolutions r where r.id = $1`,
};

const proposeResolutionSql: Statement = {
  name: 'propose_resolution',
  text: `
    insert into withdrawal_resolutions (id, withdrawal_id, deed, fence, revision, reason, proposed_by)
    values ($1, $2, $3, $4, $5, $6, $7)`,
};
