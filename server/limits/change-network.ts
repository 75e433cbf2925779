import { type Refusal, refuse } from '#domain/refusal.ts';
import { appendAudit } from '#server/audit/append-audit.ts';
import type { ConfirmDeed } from '#server/auth/confirm-deed.ts';
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
 * requests to come, because a withdrawal keeps the number that it was accepted with, and take a second factor, as an explorer of
 * another host does (`networks_fewer_confirmed`).
 */
export async function changeNetwork(
  deps: { db: Database },
  input: { terms: NetworkTerms; actorId: string; confirm: ConfirmDeed },
): Promise<{ kind: 'changed' } | { kind: 'refused'; refusal: Refusal }> {
  const { terms, actorId } = input;
  return await deps.db.transaction(async (tx) => {
    const subject = networkSubject(terms);
    const [known] = await tx.query<LockedNetwork>(lockNetworkSql, [terms.networkId, subject]);
    if (known === undefined) return { kind: 'refused', refusal: refuse('not_found') };
    const refusal = known.widens ? await input.confirm(tx, { deed: 'set_network', subject }) : null;
    if (refusal !== null) return { kind: 'refused', refusal };
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

/** What is confirmed: the network's terms as they will be. */
export function networkSubject(terms: NetworkTerms): string {
  return JSON.stringify({
    id: terms.networkId,
    confirmations_required: terms.confirmationsRequired,
    explorer_transaction_template: terms.explorerTransactionTemplate,
  });
}

interface LockedNetwork {
  readonly network: Record<string, unknown>;
  readonly widens: boolean;
}

const lockNetworkSql: Statement = {
  name: 'lock_network',
  text: `
    select to_jsonb(n) as network, network_widens(n, jsonb_populate_record(n, $2::text::jsonb)) as widens
    from networks n where id = $1 for update`,
};

const changeNetworkSql: Statement = {
  name: 'change_network',
  text: `
    update networks n set confirmations_required = $2, explorer_transaction_template = $3
    where id = $1 returning to_jsonb(n) as network`,
};
