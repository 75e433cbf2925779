import { appendAudit } from '#server/audit/append-audit.ts';
import type { Database, Statement } from '#server/db/database.ts';

/** What an operator may change about a network. Its family, and so its addresses, is not among it. */
export interface NetworkTerms {
  readonly networkId: string;
  /** How many blocks make a payment or a deposit final. */
  readonly confirmationsRequired: number;
  /** With `{hash}` where the transaction's hash belongs. */
  readonly explorerTransactionTemplate: string;
}

/**
 * New terms for a network. More confirmations count at once, for withdrawals under way too; fewer count for deposits and for
 * requests to come, because a withdrawal keeps the number that it was accepted with.
 */
export async function changeNetwork(
  deps: { db: Database },
  input: { terms: NetworkTerms; actorId: string },
): Promise<{ kind: 'changed' | 'absent' }> {
  const { terms, actorId } = input;
  return await deps.db.transaction(async (tx) => {
    const [known] = await tx.query<{ network: Record<string, unknown> }>(lockNetworkSql, [terms.networkId]);
    if (known === undefined) return { kind: 'absent' };
    const values = [terms.networkId, terms.confirmationsRequired, terms.explorerTransactionTemplate];
    const [changed] = await tx.query<{ network: Record<string, unknown> }>(changeNetworkSql, values);
    const after = changed?.network ?? null;
    await appendAudit(
      { db: tx },
      { actorId, action: 'network.change', subject: terms.networkId, before: known.network, after },
    );
    return { kind: 'changed' };
  });
}

const lockNetworkSql: Statement = {
  name: 'lock_network',
  text: 'select to_jsonb(n) as network from networks n where id = $1 for update',
};

const changeNetworkSql: Statement = {
  name: 'change_network',
  text: `
    update networks n set confirmations_required = $2, explorer_transaction_template = $3
    where id = $1 returning to_jsonb(n) as network`,
};
