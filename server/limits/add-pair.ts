import type { MemoRule } from '#domain/asset.ts';
import { type Refusal, refuse } from '#domain/refusal.ts';
import { appendAudit } from '#server/audit/append-audit.ts';
import type { Database, Statement } from '#server/db/database.ts';

/** An asset on a network that is known. A network of a new family needs an address file first. */
export interface NewPair {
  readonly assetId: string;
  readonly assetName: string;
  readonly decimals: number;
  readonly networkId: string;
  readonly contract: string | null;
  readonly minimumMinor: bigint;
  readonly feeMinor: bigint;
  readonly memoRule: MemoRule;
}

/**
 * Adds a pair, and its asset where it is new: with the accounts of the house, and an account and a balance of zero for every
 * customer. It begins switched off, without a price: somebody enables it when custody can pay it, and until there is a price
 * two people look at every request.
 */
export async function addPair(
  deps: { db: Database },
  input: { pair: NewPair; actorId: string },
): Promise<{ kind: 'added' } | { kind: 'refused'; refusal: Refusal }> {
  const { pair, actorId } = input;
  return await deps.db.transaction(async (tx) => {
    await tx.query(addAssetSql, [pair.assetId, pair.assetName, pair.decimals]);
    const [asset] = await tx.query<{ decimals: number }>(findAssetSql, [pair.assetId]);
    if (asset?.decimals !== pair.decimals)
      return { kind: 'refused', refusal: refuse('changed_meanwhile', { fields: ['decimals'] }) };
    const values = [
      pair.assetId,
      pair.networkId,
      pair.contract,
      pair.minimumMinor.toString(),
      pair.feeMinor.toString(),
      pair.memoRule,
    ];
    const [added] = await tx.query<{ pair: Record<string, unknown> }>(addPairSql, values);
    if (added === undefined) return { kind: 'refused', refusal: refuse('already_done') };
    for (const statement of OPEN_ACCOUNTS) await tx.query(statement, [pair.assetId]);
    const subject = `${pair.assetId} on ${pair.networkId}`;
    await appendAudit({ db: tx }, { actorId, action: 'pair.add', subject, before: null, after: added.pair });
    return { kind: 'added' };
  });
}

const addAssetSql: Statement = {
  name: 'add_asset',
  text: 'insert into assets (id, name, decimals) values ($1, $2, $3) on conflict do nothing',
};

const findAssetSql: Statement = { name: 'find_asset_decimals', text: 'select decimals from assets where id = $1' };

const addPairSql: Statement = {
  name: 'add_pair',
  text: `
    insert into asset_networks as p (asset_id, network_id, contract, minimum_minor, fee_minor, memo_rule, enabled)
    select $1, n.id, $3, $4, $5, $6, false from networks n where n.id = $2
    on conflict do nothing returning to_jsonb(p) as pair`,
};

const OPEN_ACCOUNTS: readonly Statement[] = [
  {
    name: 'open_house_accounts',
    text: `
      insert into ledger_accounts (asset_id, kind)
      select $1, k.kind from unnest(array['custody_hot', 'withdrawal_fees', 'network_costs', 'suspense', 'opening']) as k(kind)
      on conflict do nothing`,
  },
  {
    name: 'open_accounts_of_customers',
    text: `
      insert into ledger_accounts (asset_id, kind, customer_id)
      select $1, k.kind, c.id from customers c, unnest(array['customer_available', 'customer_held', 'customer_receivable']) as k(kind)
      on conflict do nothing`,
  },
  {
    name: 'open_balances_of_customers',
    text: `
      insert into customer_balances (customer_id, asset_id, available_account_id, held_account_id)
      select v.customer_id, v.asset_id, v.id, h.id
      from ledger_accounts v join ledger_accounts h on h.customer_id = v.customer_id and h.asset_id = v.asset_id
      where v.asset_id = $1 and v.kind = 'customer_available' and h.kind = 'customer_held'
        and not exists (select 1 from customer_balances b where b.customer_id = v.customer_id and b.asset_id = v.asset_id)`,
  },
];
