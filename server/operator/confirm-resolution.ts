import { type Refusal, refuse } from '#domain/refusal.ts';
import { appendAudit } from '#server/audit/append-audit.ts';
import type { ConfirmDeed } from '#server/auth/confirm-deed.ts';
import { readCustodyStatement, type StatementKey } from '#server/custody/read-custody-statement.ts';
import type { Database, Db, Statement } from '#server/db/database.ts';
import type { ResolutionDeed } from '#server/operator/propose-resolution.ts';
import { refusalOfGuard } from '#server/operator/refusal-of-guard.ts';
import { recordTransition } from '#server/withdrawals/record-transition.ts';

export type ConfirmAnswer =
  | { readonly kind: 'released' | 'handed_back' }
  | { readonly kind: 'refused'; readonly refusal: Refusal };

/**
 * The second of two people agrees to exactly what the first proposed, about exactly the evidence that the first saw. A release
 * voids the hold; handing back lifts the flag and lets the machine go on by its own rule. Confirming again changes nothing.
 */
export async function confirmResolution(
  deps: { db: Database; keys: readonly StatementKey[] },
  input: { resolutionId: string; actorId: string; confirm: ConfirmDeed },
): Promise<ConfirmAnswer> {
  try {
    return await deps.db.transaction(async (tx) => {
      await tx.query(lockWithdrawalSql, [input.resolutionId]);
      const [row] = await tx.query<ResolutionRow>(findResolutionSql, [input.resolutionId]);
      if (row === undefined) return { kind: 'refused' as const, refusal: refuse('not_found') };
      if (row.confirmed_by !== null) return { kind: 'refused' as const, refusal: refuse('already_done') };
      if (row.proposed_by === input.actorId) {
        return { kind: 'refused' as const, refusal: refuse('second_person_needed') };
      }
      if (row.deed === 'release' && !(await isProvedOrSigned(tx, deps.keys, row.withdrawal_id))) {
        return { kind: 'refused' as const, refusal: refuse('changed_meanwhile', { detail: UNSIGNED }) };
      }
      const refusal = await input.confirm(tx, { deed: 'resolve', subject: input.resolutionId });
      if (refusal !== null) return { kind: 'refused' as const, refusal };
      return await carryOut(tx, row, input);
    });
  } catch (error) {
    if (error instanceof ConfirmedInVain) return { kind: 'refused', refusal: refuse('changed_meanwhile') };
    return { kind: 'refused', refusal: refusalOfGuard(error) };
  }
}

const UNSIGNED = 'Absence is not proved, and no key of custody’s signed what is attached.';

/** The database reads what a statement says and whether it stands; who signed it is verified here, again, whoever wrote the row. */
async function isProvedOrSigned(tx: Db, keys: readonly StatementKey[], withdrawalId: string): Promise<boolean> {
  const [found] = await tx.query<{ proved: boolean }>(findProofSql, [withdrawalId]);
  if (found?.proved === true) return true;
  const standing = await tx.query<{ body: string; signature: string }>(findStandingSql, [withdrawalId]);
  return standing.some((one) => readCustodyStatement(keys, one).kind === 'read');
}

const findProofSql: Statement = {
  name: 'find_proof_of_absence',
  text: 'select withdrawal_absence_proved(w) as proved from withdrawals w where w.id = $1',
};

const findStandingSql: Statement = {
  name: 'find_standing_statements',
  text: 'select s.body, s.signature from withdrawals w cross join lateral standing_statements(w) s where w.id = $1',
};

async function carryOut(
  tx: Db,
  row: ResolutionRow,
  input: { resolutionId: string; actorId: string },
): Promise<ConfirmAnswer> {
  const { resolutionId, actorId } = input;
  await tx.query(confirmResolutionSql, [resolutionId, actorId]);
  const { withdrawal_id: withdrawalId, deed } = row;
  const fence = BigInt(row.fence);
  const revision = BigInt(row.revision);
  const action = 'withdrawal.confirm_resolution';
  const before = { proposedBy: row.proposed_by };
  await appendAudit({ db: tx }, { actorId, action, subject: withdrawalId, before, after: { resolutionId, deed } });
  if (deed === 'hand_back') {
    await tx.query(handBackSql, [withdrawalId, row.fence]);
    return { kind: 'handed_back' };
  }
  const release = { kind: 'release' as const, withdrawalId, fence, revision, resolutionId, operatorId: actorId };
  const moved = await recordTransition({ db: tx }, release);
  if (moved.kind === 'not_moved') throw new ConfirmedInVain();
  return { kind: 'released' };
}

/** Takes the confirmation back with the transaction: the row was no longer as both had seen it. */
class ConfirmedInVain extends Error {
  override readonly name = 'ConfirmedInVain';
}

interface ResolutionRow {
  readonly withdrawal_id: string;
  readonly deed: ResolutionDeed;
  readonly fence: string;
  readonly revision: string;
  readonly proposed_by: string;
  readonly confirmed_by: string | null;
}

// The withdrawal first, as every other writer of it does; and the resolution in a statement of its own, which sees what the lock
// waited for.
const lockWithdrawalSql: Statement = {
  name: 'lock_for_resolution',
  text: `
    select w.id from withdrawals w where w.id = (select x.withdrawal_id from withdrawal_resolutions x where x.id = $1) for update`,
};

const findResolutionSql: Statement = {
  name: 'find_resolution',
  text: `
    select r.withdrawal_id, r.deed, r.fence, r.revision, r.proposed_by, r.confirmed_by from withdrawal_resolutions r where r.id = $1`,
};

const confirmResolutionSql: Statement = {
  name: 'confirm_resolution',
  text: 'update withdrawal_resolutions set confirmed_by = $2, confirmed_at = protocol_now() where id = $1',
};

const handBackSql: Statement = {
  name: 'hand_back',
  text: `
    update withdrawals set parked_at = null, parked_reason = null, next_action_at = protocol_now()
    where id = $1 and fence = $2`,
};
