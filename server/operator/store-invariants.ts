import { parseShownAmount } from '#domain/money.ts';
import type { CustodyBalance } from '#server/custody/custody-port.ts';
import type { Database, Statement } from '#server/db/database.ts';
import type { InvariantResult } from '#server/operator/check-invariants.ts';

/** Keeps what was counted, and what custody's wallets hold, each with its time. */
export async function storeInvariants(
  deps: { db: Database },
  input: { results: readonly InvariantResult[]; balances: readonly CustodyBalance[] | null },
): Promise<void> {
  for (const { name, violations, examples, counted } of input.results) {
    await deps.db.query(storeCheckSql, [name, violations, { examples, counted }]);
  }
  if (input.balances === null) return;
  const pairs = await deps.db.query<{ asset_id: string; network_id: string; decimals: number }>(findPairsSql, []);
  for (const { asset, network, available } of input.balances) {
    const pair = pairs.find((one) => one.asset_id === asset && one.network_id === network);
    const amount = pair === undefined ? null : parseShownAmount(available, pair.decimals);
    // A wallet of an asset that we do not offer, or an amount we cannot read, is nothing to show.
    if (amount === null || amount.kind !== 'ok') continue;
    await deps.db.query(storeBalanceSql, [asset, network, amount.minor.toString()]);
  }
}

const storeCheckSql: Statement = {
  name: 'store_invariant_check',
  text: `
    insert into invariant_checks (name, violations, detail, checked_at, broken_at)
    values ($1, $2::bigint, $3::jsonb, protocol_now(), case when $2::bigint > 0 then protocol_now() end)
    on conflict (name) do update set violations = excluded.violations, detail = excluded.detail, checked_at = excluded.checked_at,
      broken_at = coalesce(excluded.broken_at, invariant_checks.broken_at)`,
};

const findPairsSql: Statement = {
  name: 'find_pairs_for_balances',
  text: 'select n.asset_id, n.network_id, a.decimals from asset_networks n join assets a on a.id = n.asset_id',
};

const storeBalanceSql: Statement = {
  name: 'store_hot_balance',
  text: `
    insert into hot_balances (asset_id, network_id, available_minor) values ($1, $2, $3)
    on conflict (asset_id, network_id) do update set available_minor = excluded.available_minor, read_at = protocol_now()`,
};
