import { randomUUID } from 'node:crypto';
import type { APIRequestContext } from '@playwright/test';
import { waitUntil } from '#stack/wait-until.ts';
import { askDatabase } from './database.ts';
import { stack } from './running-stack.ts';
import { openSignUpDoor } from './sign-up-door.ts';

export interface Customer {
  readonly userId: string;
  readonly name: string;
  readonly email: string;
  readonly password: string;
}

/** What every new customer may withdraw, in minor units of USDC: 50.00. */
export const FUNDS_MINOR = 50_000_000n;

// The house allows three sign-ups in a row from one address; where ours all come from one, it takes a while.
const SIGN_UP_WITHIN_MS = 30_000;

/**
 * Signs a new person up as anybody would, and gives them USDC of the demo's richest customer: the coins are in custody's
 * wallet already, so the books stay equal. The session's cookie is kept by `request`.
 */
export async function openFundedCustomer(request: APIRequestContext): Promise<Customer> {
  const name = 'Testa Tester';
  const email = `${randomUUID()}@e2e.cryptoex.test`;
  const password = `never-used-twice-${randomUUID()}`;
  const userId = await signUp(request, { name, email, password });
  await giveCoins(userId, { assetId: 'USDC', minor: FUNDS_MINOR });
  return { userId, name, email, password };
}

async function signUp(
  request: APIRequestContext,
  data: { name: string; email: string; password: string },
): Promise<string> {
  let userId: string | null = null;
  const door = await openSignUpDoor();
  await waitUntil(
    async () => {
      const url = `${door.origin}/api/auth/sign-up/email`;
      const answer = await request.post(url, {
        data,
        headers: { origin: stack.urls.web },
      });
      if (answer.status() === 429) return false;
      if (!answer.ok()) throw new Error(`sign-up answered ${answer.status()}: ${await answer.text()}`);
      const body: { user: { id: string } } = await answer.json();
      userId = body.user.id;
      return true;
    },
    { what: 'the sign-up was not let through', withinMs: SIGN_UP_WITHIN_MS, everyMs: 500 },
  ).finally(door.close);
  if (userId === null) throw new Error('the sign-up named nobody');
  return userId;
}

/** Gives a customer coins of the demo's richest one, whatever they have. */
export async function giveCoins(userId: string, coins: { assetId: string; minor: bigint }): Promise<void> {
  const booked = await askDatabase(GIVE_COINS, [userId, randomUUID(), coins.minor.toString(), coins.assetId]);
  if (booked.length !== 1) throw new Error('the coins were not booked');
}

const GIVE_COINS = `
  with giver as (
    select b.available_account_id from customer_balances b join users u on u.id = b.customer_id
    where u.email = 'alice@demo.cryptoex.test' and b.asset_id = $4
  ), transfer as (
    insert into ledger_transfers (asset_id, kind, source_id) values ($4, 'deposit', $2) returning id
  )
  insert into ledger_entries (transfer_id, leg, asset_id, debit_account_id, credit_account_id, amount_minor)
  select t.id, 1, $4, g.available_account_id, b.available_account_id, $3
  from transfer t, giver g, customer_balances b where b.customer_id = $1 and b.asset_id = $4 returning leg`;
