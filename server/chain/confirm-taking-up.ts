import { type Refusal, refuse } from '#domain/refusal.ts';
import { appendAudit } from '#server/audit/append-audit.ts';
import type { ConfirmDeed } from '#server/auth/confirm-deed.ts';
import type { Database, Statement } from '#server/db/database.ts';
import { findVanishedDeposits } from '#server/deposits/find-vanished-deposits.ts';
import { openVanishedCases } from '#server/deposits/open-vanished-cases.ts';
import { logger } from '#server/logger.ts';
import { refusalOfGuard } from '#server/operator/refusal-of-guard.ts';
import type { ReadChain } from '#server/operator/room-tools.ts';

/**
 * The second of two people takes a halted network up again. The node is asked once more for the block that was proposed; everything that
 * we keep above it is set aside and read anew. What was booked stays booked: a credited deposit that the chain shows no more gets its
 * case with it, however far above it stood, and a completed withdrawal that is not found again is a finding of the next comparison of
 * books. Before the second factor nothing is written.
 *
 * @throws ChainAnswerRefused, or the network's error
 */
export async function confirmTakingUp(
  deps: { db: Database; chains: readonly ReadChain[] },
  input: { resumptionId: string; actorId: string; confirm: ConfirmDeed },
): Promise<{ kind: 'taken_up'; orphaned: number } | { kind: 'refused'; refusal: Refusal }> {
  const { resumptionId, actorId } = input;
  const [proposal] = await deps.db.query<ProposalRow>(findProposalSql, [resumptionId]);
  // Another network's node knows nothing of it, and would make every deposit on it vanish.
  const port = deps.chains.find(({ networkId }) => networkId === proposal?.network_id)?.port;
  if (proposal === undefined || port === undefined) return { kind: 'refused', refusal: refuse('not_found') };
  if (proposal.confirmed) return { kind: 'refused', refusal: refuse('already_done') };
  if (proposal.proposed_by === actorId) return { kind: 'refused', refusal: refuse('second_person_needed') };
  const { network_id: networkId, from_number: fromNumber } = proposal;
  if ((await port.header(Number(fromNumber)))?.hash !== proposal.from_hash) {
    const detail = 'The node has another block at this height by now. Propose it again.';
    return { kind: 'refused', refusal: refuse('changed_meanwhile', { detail }) };
  }
  // While their old places are still known, and before anything is locked: it is a question or two to the node for each.
  const vanished = await findVanishedDeposits(
    { db: deps.db, chain: port },
    { networkId, span: { above: Number(fromNumber) } },
  );
  try {
    const result = await deps.db.transaction(async (tx) => {
      await tx.query(lockCursorSql, [networkId]);
      const refusal = await input.confirm(tx, { deed: 'take_up_network', subject: resumptionId });
      if (refusal !== null) return { kind: 'refused' as const, refusal };
      await tx.query(confirmSql, [resumptionId, actorId]);
      const { opened } = await openVanishedCases({ db: tx }, { networkId, effectIds: vanished });
      await tx.query(setAsideBlocksSql, [resumptionId]);
      const orphaned = (await tx.query(setAsideEffectsSql, [resumptionId])).length;
      await tx.query(keepGroundSql, [resumptionId]);
      await tx.query(takeUpSql, [resumptionId]);
      const before = {
        block: proposal.block_number,
        haltReason: proposal.halt_reason,
        proposedBy: proposal.proposed_by,
      };
      const after = {
        resumptionId,
        fromNumber,
        fromHash: proposal.from_hash,
        effectsReadAgain: orphaned,
        depositsVanished: opened,
      };
      await appendAudit({ db: tx }, { actorId, action: 'chain.take_up', subject: networkId, before, after });
      return { kind: 'taken_up' as const, orphaned };
    });
    if (result.kind === 'taken_up')
      logger().warn('chain.taken_up', { networkId, fromNumber, orphaned: result.orphaned });
    return result;
  } catch (error) {
    return { kind: 'refused', refusal: refusalOfGuard(error) };
  }
}

interface ProposalRow {
  readonly network_id: string;
  readonly from_number: string;
  readonly from_hash: string;
  readonly proposed_by: string;
  readonly confirmed: boolean;
  readonly block_number: string;
  readonly halt_reason: string | null;
}

const findProposalSql: Statement = {
  name: 'find_taking_up',
  text: `
    select r.network_id, r.from_number, r.from_hash, r.proposed_by, r.confirmed_at is not null as confirmed, c.block_number, c.halt_reason
    from chain_resumptions r join chain_cursors c on c.network_id = r.network_id where r.id = $1`,
};

const lockCursorSql: Statement = {
  name: 'lock_halted_cursor',
  text: 'select network_id from chain_cursors where network_id = $1 for update',
};

const confirmSql: Statement = {
  name: 'confirm_taking_up',
  text: 'update chain_resumptions set confirmed_by = $2, confirmed_at = protocol_now() where id = $1',
};

const setAsideBlocksSql: Statement = {
  name: 'set_aside_blocks',
  text: `
    update chain_blocks b set canonical = false from chain_resumptions r
    where r.id = $1 and b.network_id = r.network_id and b.block_number > r.from_number and b.canonical`,
};

// Final ones as well: what is read again under the same name is the same row again, and the booking that points at it stands.
const setAsideEffectsSql: Statement = {
  name: 'set_aside_effects',
  text: `
    update chain_effects e set state = 'orphaned' from chain_resumptions r
    where r.id = $1 and e.network_id = r.network_id and e.block_number > r.from_number and e.state <> 'orphaned'
    returning e.id`,
};

const keepGroundSql: Statement = {
  name: 'keep_ground_of_taking_up',
  text: `
    insert into chain_blocks (network_id, block_hash, block_number, parent_hash, mined_at)
    select r.network_id, r.from_hash, r.from_number, r.from_parent_hash, protocol_now() from chain_resumptions r where r.id = $1
    on conflict (network_id, block_hash) do update set canonical = true`,
};

const takeUpSql: Statement = {
  name: 'take_up_network',
  text: `
    update chain_cursors c set block_number = r.from_number, block_hash = r.from_hash, halted_at = null, halt_reason = null,
      credited_number = least(c.credited_number, r.from_number), updated_at = protocol_now()
    from chain_resumptions r where r.id = $1 and c.network_id = r.network_id`,
};
