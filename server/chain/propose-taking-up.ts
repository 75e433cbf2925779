import { type Refusal, refuse } from '#domain/refusal.ts';
import { appendAudit } from '#server/audit/append-audit.ts';
import type { ChainPort } from '#server/chain/chain-port.ts';
import type { Database, Statement } from '#server/db/database.ts';
import { refusalOfGuard } from '#server/operator/refusal-of-guard.ts';

/**
 * The first of two people says from where a halted network is to be read again: above a block on which the node and our copy agree, or
 * from the node's own below all that we keep. Nothing changes until another one confirms.
 *
 * @throws ChainAnswerRefused, or the network's error
 */
export async function proposeTakingUp(
  deps: { db: Database; chain: Pick<ChainPort, 'header'> },
  input: { resumptionId: string; networkId: string; fromNumber: number; reason: string; actorId: string },
): Promise<{ kind: 'proposed' } | { kind: 'refused'; refusal: Refusal }> {
  const { resumptionId, networkId, fromNumber, reason, actorId } = input;
  const header = await deps.chain.header(fromNumber);
  if (header === null) {
    return { kind: 'refused', refusal: refuse('changed_meanwhile', { detail: 'The node has no block there.' }) };
  }
  const { hash, parentHash } = header;
  try {
    return await deps.db.transaction(async (tx) => {
      const values = [resumptionId, networkId, fromNumber, hash, parentHash, reason, actorId];
      const [made] = await tx.query(proposeSql, values);
      if (made === undefined) {
        const [known] = await tx.query<{ same: boolean }>(findKnownSql, [resumptionId, networkId, actorId]);
        return known?.same === true ? { kind: 'proposed' } : { kind: 'refused', refusal: refuse('already_done') };
      }
      const after = { resumptionId, fromNumber, fromHash: hash, reason };
      await appendAudit(
        { db: tx },
        { actorId, action: 'chain.propose_taking_up', subject: networkId, before: null, after },
      );
      return { kind: 'proposed' };
    });
  } catch (error) {
    return { kind: 'refused', refusal: refusalOfGuard(error) };
  }
}

const proposeSql: Statement = {
  name: 'propose_taking_up',
  text: `
    insert into chain_resumptions (id, network_id, halted_at, from_number, from_hash, from_parent_hash, reason, proposed_by)
    select $1, c.network_id, c.halted_at, $3, $4, $5, $6, $7 from chain_cursors c
    where c.network_id = $2 and c.halted_at is not null
    on conflict (id) do nothing returning id`,
};

// In a statement of its own: the one that waited for another press does not see what that one wrote, the next one does.
const findKnownSql: Statement = {
  name: 'find_known_taking_up',
  text: 'select r.network_id = $2 and r.proposed_by = $3 as same from chain_resumptions r where r.id = $1',
};
