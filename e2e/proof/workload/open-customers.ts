import { randomUUID } from 'node:crypto';
import { hashPassword } from 'better-auth/crypto';
import { waitUntil } from '#stack/wait-until.ts';
import type { Books } from '../proof-world.ts';
import { type ApiClient, createApiClient } from './api-client.ts';
import type { History } from './history.ts';

export interface Customer {
  readonly customerId: string;
  readonly client: ApiClient;
}

const PASSWORD = 'never-used-outside-a-proof';
// Enough for the largest run, in minor units: a million dollars of each token, a thousand ether, ten bitcoin, ten thousand XRP.
const FUNDS_MINOR = { USDC: 10n ** 12n, USDT: 10n ** 12n, ETH: 10n ** 21n, BTC: 10n ** 9n, XRP: 10n ** 10n } as const;

/**
 * People with accounts of their own, signed in by the public door, with coins that lie in custody's wallet. The tier is the
 * one whose limits a thousand withdrawals do not reach: limits have tests of their own.
 */
export async function openCustomers(
  deps: { world: Books; history: History },
  input: { count: number; tier?: string },
): Promise<Customer[]> {
  const { world, history } = deps;
  const password = await hashPassword(PASSWORD);
  const customers: Customer[] = [];
  for (let number = 1; number <= input.count; number += 1) {
    // Not from the seed: a run that is played again on the same database is other people.
    const customerId = randomUUID();
    const email = `proof-${number}-${customerId}@proof.cryptoex.test`;
    await world.ask(INSERT_PERSON, [customerId, `Proof ${number}`, email, randomUUID(), password]);
    const cookie = await signIn(world.stack.urls.web, { email, password: PASSWORD });
    const client = createApiClient({ webUrl: world.stack.urls.web, cookie, history });
    // The first call of a new person opens their accounts.
    await client.mutate('give_up', { procedure: 'withdrawal.giveUp', input: { idempotencyKey: randomUUID() } });
    await world.ask(SET_TIER, [customerId, input.tier ?? 'institution']);
    for (const [asset, minor] of Object.entries(FUNDS_MINOR)) {
      const [booked] = await world.ask(FUND, [customerId, asset, minor.toString()]);
      if (booked === undefined) throw new Error(`${email} has no balance of ${asset}`);
    }
    customers.push({ customerId, client });
  }
  return customers;
}

const INSERT_PERSON = `
  with person as (
    insert into users (id, name, email, email_verified, role) values ($1, $2, $3, true, 'customer') returning id
  )
  insert into accounts (id, account_id, provider_id, user_id, password)
  select $4, p.id::text, 'credential', p.id, $5 from person p`;

// Past the guard that asks the staff for a second factor: it is arranged, not done.
const SET_TIER = `update customers c set tier = $2 from (select set_config('session_replication_role', 'replica', true)) past where c.id = $1`;

const FUND = `
  with transfer as (
    insert into ledger_transfers (asset_id, kind, source_id) values ($2, 'deposit', gen_random_uuid()) returning id
  )
  insert into ledger_entries (transfer_id, leg, asset_id, debit_account_id, credit_account_id, amount_minor)
  select t.id, 1, $2, ledger_house_account($2, 'custody_hot'), b.available_account_id, $3
  from transfer t, customer_balances b where b.customer_id = $1 and b.asset_id = $2 returning leg`;

// The door lets thirty sign-ins a minute through.
const SIGN_IN_WITHIN_MS = 90_000;

/** Signs a person in by the public door. @returns the cookies of the session */
export async function signIn(webUrl: string, person: { email: string; password: string }): Promise<string> {
  const cookies: string[] = [];
  const isSignedIn = async () => {
    const answer = await fetch(`${webUrl}/api/auth/sign-in/email`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: webUrl },
      body: JSON.stringify(person),
    });
    if (answer.status === 429) return false;
    if (!answer.ok) throw new Error(`sign-in answered ${answer.status}: ${await answer.text()}`);
    cookies.push(...answer.headers.getSetCookie().map((line) => line.split(';')[0] ?? ''));
    return true;
  };
  await waitUntil(isSignedIn, { what: 'the sign-in was not let through', withinMs: SIGN_IN_WITHIN_MS, everyMs: 1_000 });
  return cookies.join('; ');
}
