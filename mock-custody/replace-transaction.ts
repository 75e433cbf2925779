import type { PaymentNetwork } from './networks/payment-network.ts';
import type { Database } from './store/custody-database.ts';

/**
 * Signs another transaction for a transfer that hangs: the same number of the lane, a higher fee, another hash. At most
 * one of them is ever included. Null where there is nothing to replace.
 */
export async function replaceTransaction(
  deps: { database: Database; networks: readonly PaymentNetwork[] },
  input: { transferId: string },
): Promise<{ hash: string; replaces: string } | null> {
  const found = await deps.database.query<{ hash: string; raw: string; network: string }>(
    `select hash, raw, network from signed_transaction
     where transfer_id = $1 and status in ('signed','broadcast') order by version desc limit 1`,
    [input.transferId],
  );
  const old = found.rows[0];
  const network = deps.networks.find(({ name }) => name === old?.network);
  if (old === undefined || network === undefined) return null;
  const next = await network.replace(old.raw);
  const stored = await deps.database.query<{ stored: boolean }>('select record_replacement($1, $2, $3) as stored', [
    old.hash,
    next.hash,
    next.raw,
  ]);
  return stored.rows[0]?.stored === true ? { hash: next.hash, replaces: old.hash } : null;
}
