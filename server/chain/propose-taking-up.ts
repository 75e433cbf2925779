import { type Refusal, refuse } from '#domain/refusal.ts';
import { proposeOnce } from '#server/audit/propose-once.ts';
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
    const after = { resumptionId, fromNumber, fromHash: hash, reason };
    return await deps.db.transaction((tx) =>
      proposeOnce(
        { db: tx },
        {
          insert: [proposeSql, [resumptionId, networkId, fromNumber, hash, parentHash, reason, actorId]],
          known: [findKnownSql, [resumptionId, networkId, actorId]],
          nothing: refuse('already_done'),
          audit: { actorId, action: 'chain.propose_taking_up', subject: networkId, before: null, after },
        },
      ),
    );
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

const findKnownSql: Statement = {
  name: 'find_known_taking_up',
  text: 'select r.network_id = $2 and r.proposed_by = $3 as same from chain_resumptions r where r.id = $1',
};
