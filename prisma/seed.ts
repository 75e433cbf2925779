import { randomUUID } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { hashPassword } from 'better-auth/crypto';
import { SEEDED_ASSET_NETWORKS, SEEDED_ASSETS } from '#domain/asset.ts';
import { invariant } from '#domain/invariant.ts';
import { parseAmount } from '#domain/money.ts';
import { DEMO_PASSWORD, DEMO_PEOPLE, demoEmail } from '#server/auth/demo-people.ts';
import { sealSecret } from '#server/auth/secret-box.ts';
import { openCustomer } from '#server/customers/open-customer.ts';
import { createDatabase, type Database, type Statement } from '#server/db/database.ts';
import { refuseDemoOutside } from '#server/env.ts';
import { SEEDED_PRICES } from '#server/prices/seeded-prices.ts';
import { bookSimulatedWallets } from './book-simulated-wallets.ts';
import { fundHotWallet, seedChainCursor } from './fund-hot-wallet.ts';
import { seedControlWithdrawal, TREASURY_EMAIL } from './seed-control-withdrawal.ts';

/** What each demo customer owns at the beginning, in whole units. */
const OPENING_BALANCES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  alice: { USDC: '10000', ETH: '5', USDT: '2500', BTC: '0.5', SOL: '100', XRP: '5000' },
  bob: { USDC: '2500', ETH: '2', USDT: '1000', BTC: '0.1', SOL: '40', XRP: '1000' },
};

export interface SeedInput {
  readonly demoMode: boolean;
  readonly contracts: { readonly USDC: string | null; readonly USDT: string | null };
  /** What seals the authenticators of the demo's operators; without it they set one up themselves. */
  readonly authSecret?: string | null;
}

/**
 * Fills a database so that it can be used: assets, networks and pairs always; people with coins in demo mode only. Every
 * step adds what is missing and leaves the rest, so it runs at each start.
 */
export async function seed(deps: { db: Database }, input: SeedInput): Promise<void> {
  await seedAssets(deps.db, input.contracts);
  await run(
    deps.db,
    'seed_clock',
    `update protocol_settings set clock_movable = $1 where clock_movable is distinct from $1
      and (not $1 or not exists (select 1 from withdrawals))`,
    [input.demoMode],
  );
  if (!input.demoMode) return;
  // So that a hold and a delay can be watched; a real house keeps its day.
  await run(
    deps.db,
    'seed_delays',
    `update protocol_settings set address_hold = '2 minutes', allow_list_off_delay = '2 minutes' where address_hold = '24 hours'`,
    [],
  );
  for (const person of DEMO_PEOPLE) {
    const userId = await seedPerson(deps.db, person);
    if (person.totpSecret !== null && input.authSecret) {
      const sealed = sealSecret(person.totpSecret, input.authSecret);
      await run(deps.db, 'seed_authenticator', SEED_AUTHENTICATOR, [userId, sealed]);
    }
    if (person.role !== 'customer') continue;
    await openCustomer(deps, { userId, tier: 'verified' });
    for (const [assetId, amount] of Object.entries(OPENING_BALANCES[person.who] ?? {})) {
      await seedBalance(deps.db, { userId, assetId, amount });
    }
  }
  await seedTreasury(deps);
}

/** The house's own coins, from which the control of every look-up is paid. */
async function seedTreasury(deps: { db: Database }): Promise<void> {
  const [user] = await run<{ id: string }>(deps.db, 'seed_person', SEED_PERSON, [
    randomUUID(),
    'Treasury',
    TREASURY_EMAIL,
    'customer',
  ]);
  invariant(user !== undefined, 'the treasury is there');
  await openCustomer(deps, { userId: user.id });
  await seedBalance(deps.db, { userId: user.id, assetId: 'USDC', amount: '100' });
}

async function seedAssets(db: Database, contracts: SeedInput['contracts']): Promise<void> {
  for (const { id, name, decimals } of SEEDED_ASSETS) {
    await run(db, 'seed_asset', `insert into assets (id, name, decimals) values ($1, $2, $3) on conflict do nothing`, [
      id,
      name,
      decimals,
    ]);
    await run(db, 'seed_house_accounts', SEED_HOUSE_ACCOUNTS, [id]);
    await run(db, 'seed_price', SEED_PRICE, [id, SEEDED_PRICES[id]?.toString() ?? null]);
  }
  // Gas is paid from the same wallet and booked by nobody, and custody keeps some of it back.
  await run(
    db,
    'seed_band',
    `update assets set deficit_band_minor = 1e18 where id = 'ETH' and deficit_band_minor = 0`,
    [],
  );
  for (const pair of SEEDED_ASSET_NETWORKS) {
    await run(db, 'seed_network', SEED_NETWORK, [
      pair.networkId,
      NETWORK_NAMES[pair.networkId] ?? pair.networkId,
      pair.family,
      pair.confirmationsRequired,
      pair.explorerTransactionTemplate,
    ]);
    const deployed = pair.networkId === 'ethereum' ? contractOf(pair.assetId, contracts) : null;
    await run(db, 'seed_pair', SEED_PAIR, [
      pair.assetId,
      pair.networkId,
      deployed ?? pair.contract,
      pair.minimumMinor.toString(),
      pair.feeMinor.toString(),
      pair.memoRule,
      pair.enabled,
    ]);
  }
}

function contractOf(assetId: string, contracts: SeedInput['contracts']): string | null {
  return assetId === 'USDC' || assetId === 'USDT' ? contracts[assetId] : null;
}

const NETWORK_NAMES: Readonly<Record<string, string>> = {
  ethereum: 'Ethereum',
  tron: 'Tron',
  bitcoin: 'Bitcoin',
  solana: 'Solana',
  xrp: 'XRP Ledger',
};

const SEED_HOUSE_ACCOUNTS = `
  insert into ledger_accounts (asset_id, kind)
  select $1, k.kind from unnest(array['custody_hot', 'withdrawal_fees', 'network_costs', 'suspense', 'opening']) as k(kind)
  on conflict do nothing`;

/** A first price, which goes stale in minutes: whoever runs this for real brings a feed, or people approve. */
const SEED_PRICE = `
  insert into prices (asset_id, reference_minor_per_unit, source)
  select $1, $2::numeric, 'seed' where $2 is not null on conflict do nothing`;

const SEED_NETWORK = `
  insert into networks (id, name, family, confirmations_required, explorer_transaction_template)
  values ($1, $2, $3, $4, $5) on conflict do nothing`;

/** A contract is written again: a new dev chain has new ones. Everything else people may have changed. */
const SEED_PAIR = `
  insert into asset_networks (asset_id, network_id, contract, minimum_minor, fee_minor, memo_rule, enabled)
  values ($1, $2, $3, $4, $5, $6, $7)
  on conflict (asset_id, network_id) do update set contract = coalesce(excluded.contract, asset_networks.contract)
    where asset_networks.contract is distinct from coalesce(excluded.contract, asset_networks.contract)`;

async function seedPerson(db: Database, person: (typeof DEMO_PEOPLE)[number]): Promise<string> {
  const email = demoEmail(person.who);
  const [known] = await run<{ id: string }>(db, 'seed_find_person', `select id from users where email = $1`, [email]);
  if (known !== undefined) return known.id;
  const password = await hashPassword(DEMO_PASSWORD);
  return await db.transaction(async (tx) => {
    const values = [randomUUID(), person.name, email, person.role];
    const [user] = await run<{ id: string }>(tx, 'seed_person', SEED_PERSON, values);
    invariant(user !== undefined, 'the person was inserted');
    // The shape of a password account, as the accounts library writes it.
    await run(tx, 'seed_password', SEED_PASSWORD, [randomUUID(), user.id, password]);
    return user.id;
  });
}

const SEED_PERSON = `
  insert into users (id, name, email, email_verified, role) values ($1, $2, $3, true, $4)
  on conflict (email) do update set name = excluded.name returning id`;

const SEED_PASSWORD = `
  insert into accounts (id, account_id, provider_id, user_id, password) values ($1, $2::uuid::text, 'credential', $2, $3)`;

/** Inserted as confirmed: nobody's security changed, so nothing freezes and nobody is written to. */
const SEED_AUTHENTICATOR = `
  insert into totp_factors (user_id, secret_sealed, confirmed_at) values ($1, $2, protocol_now()) on conflict do nothing`;

/**
 * One transfer `opening`: custody hot → customer available, the legs of `creditLegs`. Credits less debits of custody hot are
 * therefore below zero by what lies in the wallet: what we own is a debit, what we owe a customer a credit, and the two sum
 * to zero for each asset. The transfer's source is derived from person and asset, so a second run finds it.
 */
async function seedBalance(db: Database, input: { userId: string; assetId: string; amount: string }): Promise<void> {
  const decimals = SEEDED_ASSETS.find((asset) => asset.id === input.assetId)?.decimals;
  invariant(decimals !== undefined, 'a seeded asset');
  const parsed = parseAmount(input.amount, decimals);
  invariant(parsed.kind === 'ok', 'a seeded amount is exact');
  await run(db, 'seed_balance', SEED_BALANCE, [input.userId, input.assetId, parsed.minor.toString()]);
}

const SEED_BALANCE = `
  with transfer as (
    insert into ledger_transfers (asset_id, kind, source_id)
    values ($2, 'opening', md5($1::text || ' ' || $2)::uuid)
    on conflict (source_id, kind) do nothing returning id
  )
  insert into ledger_entries (transfer_id, leg, asset_id, debit_account_id, credit_account_id, amount_minor)
  select t.id, 1, $2, ledger_house_account($2, 'custody_hot'), b.available_account_id, $3
  from transfer t, customer_balances b where b.customer_id = $1::uuid and b.asset_id = $2`;

function run<Row extends object>(
  db: Pick<Database, 'query'>,
  name: string,
  text: string,
  values: readonly unknown[],
): Promise<Row[]> {
  const statement: Statement = { name, text };
  return db.query<Row>(statement, values);
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const { DATABASE_URL, DEMO_MODE, USDC_CONTRACT, USDT_CONTRACT, CHAIN_RPC_URL, CUSTODY_URL } = process.env;
  const { CUSTODY_API_KEY, DEMO_DEPLOYER_KEY, AUTH_SECRET } = process.env;
  if (!DATABASE_URL) throw new Error('DATABASE_URL is missing');
  // What the processes refuse must not be left behind by the seed: people with a published password.
  if (DEMO_MODE === '1') refuseDemoOutside(process.env.PUBLIC_URL || 'http://localhost:3000');
  const log = (line: string) => console.log(line);
  const db = createDatabase({ url: DATABASE_URL, max: 2, applicationName: 'cryptoex-seed' });
  try {
    const contracts = { USDC: USDC_CONTRACT || null, USDT: USDT_CONTRACT || null };
    await seed({ db }, { demoMode: DEMO_MODE === '1', contracts, authSecret: AUTH_SECRET || null });
    log('assets, networks and people are there');
    if (CHAIN_RPC_URL) await seedChainCursor({ db }, { chainRpcUrl: CHAIN_RPC_URL });
    else log('CHAIN_RPC_URL is not set: the indexer has no place to begin');
    if (DEMO_MODE === '1') {
      await fundHotWallet(
        { db },
        {
          chainRpcUrl: CHAIN_RPC_URL || null,
          custodyUrl: CUSTODY_URL || null,
          custodyApiKey: CUSTODY_API_KEY || null,
          deployerKey: DEMO_DEPLOYER_KEY || null,
          log,
        },
      );
      if (CUSTODY_URL && CUSTODY_API_KEY) {
        await bookSimulatedWallets({ db }, { custodyUrl: CUSTODY_URL, custodyApiKey: CUSTODY_API_KEY });
      }
      // A token that is not on the chain cannot be paid, and its withdrawal would wait for ever.
      if (CUSTODY_URL && contracts.USDC !== null) await seedControlWithdrawal({ db });
    }
  } finally {
    await db.close();
  }
}
