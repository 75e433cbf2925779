import type { NetworkFamily } from '#domain/asset.ts';
import { canonicalChainText } from '#domain/chain-text.ts';
import type { Database, Statement } from '#server/db/database.ts';
import { deriveDepositAddress } from '#server/deposits/derive-deposit-address.ts';

export interface ShownDepositAddress {
  readonly networkId: string;
  readonly networkName: string;
  readonly address: string;
  readonly memo: string | null;
  /** As they are applied now: a finality that was lowered holds for the blocks that stood before. */
  readonly confirmationsRequired: number;
  /** Somebody reads this network's blocks. Where nobody does, nothing that is sent to the address is ever credited. */
  readonly watched: boolean;
}

/** A customer's addresses, one a network, issued when they are first asked for and never changed; they are ours as well. */
export async function issueDepositAddresses(
  deps: { db: Database },
  input: { customerId: string },
): Promise<readonly ShownDepositAddress[]> {
  const { customerId } = input;
  const known = await deps.db.query<AddressRow>(findAddressesSql, [customerId]);
  const missing = known.filter((row) => row.address === null);
  if (missing.length === 0) return known.flatMap(toShown);
  const [account] = await deps.db.query<{ derivation_index: number }>(openAccountSql, [customerId]);
  if (account === undefined) return [];
  for (const { network_id: networkId, family } of missing) {
    const derived = deriveDepositAddress(family, account.derivation_index);
    const { address, memo } = derived;
    await deps.db.query(keepAddressSql, [customerId, networkId, address, memo, canonicalChainText(address)]);
  }
  return (await deps.db.query<AddressRow>(findAddressesSql, [customerId])).flatMap(toShown);
}

interface AddressRow {
  readonly network_id: string;
  readonly name: string;
  readonly family: NetworkFamily;
  readonly confirmations_required: number;
  readonly watched: boolean;
  readonly address: string | null;
  readonly memo: string | null;
}

function toShown(row: AddressRow): ShownDepositAddress[] {
  const {
    network_id: networkId,
    name: networkName,
    confirmations_required: confirmationsRequired,
    address,
    memo,
    watched,
  } = row;
  return address === null ? [] : [{ networkId, networkName, address, memo, confirmationsRequired, watched }];
}

const findAddressesSql: Statement = {
  name: 'find_deposit_addresses',
  text: `
    select n.id as network_id, n.name, n.family, finality_at(n, c.block_number) as confirmations_required,
      d.address, d.memo, c.network_id is not null as watched
    from networks n left join chain_cursors c on c.network_id = n.id left join deposit_addresses d on d.network_id = n.id and d.customer_id = $1
    where exists (select 1 from asset_networks p where p.network_id = n.id and p.enabled) order by n.name`,
};

const openAccountSql: Statement = {
  name: 'open_deposit_account',
  text: `
    with opened as (
      insert into deposit_accounts (customer_id) select c.id from customers c where c.id = $1
        and not exists (select 1 from deposit_accounts a where a.customer_id = $1)
      on conflict (customer_id) do update set customer_id = excluded.customer_id returning derivation_index
    )
    select derivation_index from opened union select a.derivation_index from deposit_accounts a where a.customer_id = $1`,
};

const keepAddressSql: Statement = {
  name: 'keep_deposit_address',
  text: `
    with kept as (
      insert into deposit_addresses (customer_id, network_id, address, memo, chain_address) values ($1, $2, $3, $4, $5)
      on conflict do nothing
    )
    insert into own_addresses (network_id, address, kind, customer_id)
    select $2, $3, 'deposit', case when $4::text is null then $1::uuid end on conflict do nothing`,
};
