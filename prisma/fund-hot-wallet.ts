import type { Hex } from 'viem';
import { z } from 'zod';
import { invariant } from '#domain/invariant.ts';
import { fromMinorText } from '#domain/money.ts';
import type { Db, Statement } from '#server/db/database.ts';

/** What custody needs for gas beside what it owes to customers: one ether pays thousands of transfers on a dev chain. */
const GAS_MINOR = 10n ** 18n;

/**
 * Lets the three books begin equal on the dev chain: what customers own lies in custody's hot wallet, and what lies there
 * beyond that is booked once as the house's own (custody hot → opening). Tops the wallet up where it has less.
 */
export async function fundHotWallet(
  deps: { db: Db },
  input: {
    chainRpcUrl: string | null;
    custodyUrl: string | null;
    custodyApiKey: string | null;
    deployerKey: string | null;
    log: (line: string) => void;
  },
): Promise<void> {
  const { chainRpcUrl, custodyUrl, custodyApiKey, deployerKey, log } = input;
  if (chainRpcUrl === null || custodyUrl === null || custodyApiKey === null) {
    log('no chain or no custody is named: the hot wallet stays as it is');
    return;
  }
  const owed = await deps.db.query<OwedRow>(findOwedSql, []);
  if (owed.every((row) => row.is_booked)) return;
  // Loaded only when there is something to do: two thirds of a second, at every start but the first for nothing.
  const { createPublicClient, createTestClient, createWalletClient, http, isHex, parseAbi } = await import('viem');
  const { privateKeyToAccount } = await import('viem/accounts');
  const { anvil } = await import('viem/chains');
  const abi = parseAbi(['function mint(address,uint256)', 'function balanceOf(address) view returns (uint256)']);
  const wallet = await findHotWallet(custodyUrl, custodyApiKey);
  const chain = createPublicClient({ chain: anvil, transport: http(chainRpcUrl), pollingInterval: 50 });
  for (const { asset_id: assetId, contract, owed_minor, is_booked: isBooked } of owed) {
    if (isBooked) continue;
    const owedMinor = fromMinorText(owed_minor);
    if (contract === null && assetId !== 'ETH') continue; // The contract is not there yet: nothing of it can be paid.
    const neededMinor = assetId === 'ETH' ? owedMinor + GAS_MINOR : owedMinor;
    const read = () => (contract === null ? chain.getBalance({ address: wallet }) : readToken(toHex(contract)));
    const readToken = (address: Hex) => chain.readContract({ address, abi, functionName: 'balanceOf', args: [wallet] });
    let balanceMinor = await read();
    if (balanceMinor < neededMinor) {
      if (contract === null) {
        await createTestClient({ mode: 'anvil', transport: http(chainRpcUrl) }).setBalance({
          address: wallet,
          value: neededMinor,
        });
      } else {
        invariant(deployerKey !== null && isHex(deployerKey), 'DEMO_DEPLOYER_KEY mints what the hot wallet lacks');
        const account = privateKeyToAccount(deployerKey);
        const writer = createWalletClient({ account, chain: anvil, transport: http(chainRpcUrl) });
        const args = [wallet, neededMinor - balanceMinor] as const;
        const hash = await writer.writeContract({ address: toHex(contract), abi, functionName: 'mint', args });
        await chain.waitForTransactionReceipt({ hash, timeout: 30_000 });
      }
      balanceMinor = await read();
    }
    await deps.db.query(bookHouseSql, [assetId, (balanceMinor - owedMinor).toString()]);
    log(`the hot wallet covers what customers own in ${assetId}`);
  }
}

/** The indexer begins at the head it finds here: what happened before us concerns nobody. */
export async function seedChainCursor(deps: { db: Db }, input: { chainRpcUrl: string }): Promise<void> {
  const [known] = await deps.db.query<object>(findCursorSql, []);
  if (known !== undefined) return;
  const { createPublicClient, http } = await import('viem');
  const head = await createPublicClient({ transport: http(input.chainRpcUrl) }).getBlock();
  await deps.db.query(seedCursorSql, [head.number.toString(), head.hash]);
}

const balancesSchema = z.object({ data: z.array(z.object({ network: z.string(), address: z.string().nullable() })) });

async function findHotWallet(custodyUrl: string, apiKey: string): Promise<Hex> {
  const answer = await fetch(new URL('/v1/balances', custodyUrl), { headers: { authorization: `Bearer ${apiKey}` } });
  if (!answer.ok) throw new Error(`custody answered ${answer.status} when asked for its balances`);
  const { data } = balancesSchema.parse(await answer.json());
  const address = data.find((balance) => balance.network === 'ethereum')?.address;
  invariant(address != null, 'custody has a wallet on the dev chain');
  return toHex(address);
}

function toHex(address: string): Hex {
  const digits = /^0x([0-9a-fA-F]{40})$/.exec(address)?.[1];
  invariant(digits !== undefined, 'an address of an EVM network');
  return `0x${digits}`;
}

interface OwedRow {
  readonly asset_id: string;
  readonly contract: string | null;
  readonly owed_minor: string;
  readonly is_booked: boolean;
}

/** The source of the house's own opening transfer, one an asset. */
const HOUSE_SOURCE = (asset: string) => `md5('opening ' || ${asset})::uuid`;

const findOwedSql: Statement = {
  name: 'seed_find_owed',
  text: `
    select p.asset_id, p.contract,
      (select coalesce(sum(b.available_minor + b.held_minor), 0) from customer_balances b where b.asset_id = p.asset_id)::text as owed_minor,
      exists (select 1 from ledger_transfers t where t.source_id = ${HOUSE_SOURCE('p.asset_id')} and t.kind = 'opening') as is_booked
    from asset_networks p where p.network_id = 'ethereum'`,
};

const bookHouseSql: Statement = {
  name: 'seed_book_house',
  text: `
    with transfer as (
      insert into ledger_transfers (asset_id, kind, source_id) select $1::text, 'opening', ${HOUSE_SOURCE('$1::text')}
      where $2::numeric > 0 on conflict (source_id, kind) do nothing returning id
    )
    insert into ledger_entries (transfer_id, leg, asset_id, debit_account_id, credit_account_id, amount_minor)
    select t.id, 1, $1, ledger_house_account($1, 'custody_hot'), ledger_house_account($1, 'opening'), $2 from transfer t`,
};

const findCursorSql: Statement = {
  name: 'seed_find_cursor',
  text: `select 1 as known from chain_cursors where network_id = 'ethereum'`,
};

const seedCursorSql: Statement = {
  name: 'seed_chain_cursor',
  text: `
    insert into chain_cursors (network_id, block_number, block_hash) values ('ethereum', $1, $2) on conflict do nothing`,
};
