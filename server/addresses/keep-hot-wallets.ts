import { parseAddress } from '#domain/address.ts';
import type { NetworkFamily } from '#domain/asset.ts';
import type { CustodyBalance } from '#server/custody/custody-port.ts';
import type { Db, Statement } from '#server/db/database.ts';

/**
 * Remembers the wallets that custody pays from as ours, so that nobody withdraws to them: the coins would be charged and go
 * round in a circle. An address that was ours stays ours.
 *
 * @returns how many are new
 */
export async function keepHotWallets(
  deps: { db: Db },
  input: { balances: readonly CustodyBalance[] },
): Promise<{ kept: number }> {
  const networks = await deps.db.query<{ id: string; family: NetworkFamily }>(findFamiliesSql, []);
  const families = new Map(networks.map((network) => [network.id, network.family]));
  let kept = 0;
  for (const { network, address } of input.balances) {
    const family = families.get(network);
    if (family === undefined || address === null) continue;
    const parsed = parseAddress(family, address);
    // Custody's name for a wallet where it has no address, or an address of a network that we do not offer.
    if (parsed.kind === 'refused') continue;
    kept += (await deps.db.query(keepHotWalletSql, [network, parsed.address.canonical])).length;
  }
  return { kept };
}

const findFamiliesSql: Statement = { name: 'find_network_families', text: 'select id, family from networks' };

const keepHotWalletSql: Statement = {
  name: 'keep_hot_wallet',
  text: `
    insert into own_addresses (network_id, address, kind) values ($1, $2, 'hot_wallet') on conflict do nothing returning 1`,
};
