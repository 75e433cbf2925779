import { randomUUID } from 'node:crypto';
import type { Db, Statement } from '#server/db/database.ts';

/** The house as a customer of its own: a person without a password, so that nobody signs in as it. */
export const TREASURY_EMAIL = 'treasury@demo.cryptoex.test';

/** One withdrawal, however often the seed runs. Custody knows it by this reference for ever. */
export const CONTROL_KEY = '5eedc0de-c0de-4c0d-8c0d-5eedc0de0001';

// The house's cold wallet on the dev chain: the last of its published accounts. Coins that came back to the hot wallet would
// be missing in the books and not in the wallet, for ever.
const COLD_WALLET = '0xa0Ee7A142d267C1f36714E4a8F75612F20a79720';

/**
 * Asks for the house's own first withdrawal, 1 USDC to its cold wallet, through the same door as everybody's. "Not found"
 * counts only beside a transfer that custody accepted before; without this one the first customer whose answer is lost
 * would have no such control.
 */
export async function seedControlWithdrawal(deps: { db: Db }): Promise<void> {
  await deps.db.query(requestControlSql, [randomUUID(), CONTROL_KEY, TREASURY_EMAIL, COLD_WALLET]);
}

// The first statement that looks is the guard: a key that is known answers "existing" and books nothing.
const requestControlSql: Statement = {
  name: 'seed_control_withdrawal',
  text: `
    select r.outcome from users u
    join asset_networks n on n.asset_id = 'USDC' and n.network_id = 'ethereum' and n.enabled,
    request_withdrawal(p_id => $1, p_key => $2, p_customer => u.id, p_asset => n.asset_id, p_network => n.network_id,
      p_address => $4, p_memo => null, p_amount => n.minimum_minor, p_fee => n.fee_minor, p_fee_mode => 'on_top', p_refusal => null,
      p_needs_approval => false, p_look_alike_of => null, p_clicked_at => null, p_refused_daily_max => 1) r
    where u.email = $3`,
};
