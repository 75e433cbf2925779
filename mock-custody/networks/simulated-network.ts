import { createHash, createHmac } from 'node:crypto';
import { base58 } from '@scure/base';
import { z } from 'zod';
import { formatAmount } from '../amount-text.ts';
import { assets, findAsset, type NetworkName } from '../asset-table.ts';
import type { Database } from '../store/custody-database.ts';
import { findNextNonce } from './next-nonce.ts';
import type { ChainBlock, Inclusion, PaymentNetwork } from './payment-network.ts';
import type { SimulatedLedger } from './simulated-ledger.ts';

type SimulatedName = Exclude<NetworkName, 'ethereum'>;

/** Where each simulated hot wallet lives, and for how many blocks a signed transaction may still be included. */
const wallets: Record<SimulatedName, { account: string; validForBlocks: number | null }> = {
  bitcoin: { account: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', validForBlocks: null },
  tron: { account: 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8', validForBlocks: 60 },
  solana: { account: '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM', validForBlocks: 150 },
  xrp: { account: 'rPEPPER7kfTD9w2To4CQk6UCfuHM9c6GDY', validForBlocks: 20 },
};
// Whole units; enough that a demo never runs dry, and a test that wants to be short sets a cap.
const SUPPLY_UNITS = 10_000_000n;

const raw = z.object({
  account: z.string(),
  nonce: z.string(),
  fee: z.number(),
  asset: z.string(),
  recipient: z.string(),
  memo: z.string().nullable(),
  amount: z.string(),
  fate: z.enum(['included', 'fails', 'stuck', 'rejected']),
  validUntilHeight: z.number().nullable(),
  signature: z.string(),
});
type Unsigned = Omit<z.infer<typeof raw>, 'signature'>;

export function openSimulatedNetwork(
  deps: { database: Database; ledger: SimulatedLedger },
  input: { name: SimulatedName; signingKey: string },
): PaymentNetwork {
  const { database, ledger } = deps;
  const { name } = input;
  const { account, validForBlocks } = wallets[name];

  function sign(unsigned: Unsigned): { hash: string; raw: string } {
    const signature = createHmac('sha256', input.signingKey).update(JSON.stringify(unsigned)).digest('hex');
    const text = JSON.stringify({ ...unsigned, signature });
    return { raw: text, hash: hashFor(name, text) };
  }

  async function head(): Promise<{ height: number; hash: string; parentHash: string }> {
    const found = await database.query<{ height: number; hash: string; parent_hash: string }>({
      name: 'simulated-head',
      text: 'select height::int, hash, parent_hash from simulated_block where network = $1 order by height desc limit 1',
      values: [name],
    });
    const top = found.rows[0];
    return top === undefined
      ? { height: 0, hash: 'genesis', parentHash: '' }
      : { height: top.height, hash: top.hash, parentHash: top.parent_hash };
  }

  return {
    name,
    account,
    head,
    nextNonce: async () => BigInt(await findNextNonce({ database }, { network: name, account, height: null })),
    async sign(payments, firstNonce) {
      const validUntilHeight = validForBlocks === null ? null : (await head()).height + validForBlocks;
      return payments.map((payment, place) => {
        const nonce = firstNonce + BigInt(place);
        const amount = formatAmount(payment.amountMinor, findAsset(payment.asset, name)?.decimals ?? 0);
        const { asset, address: recipient, memo, fate } = payment;
        return {
          nonce,
          ...sign({ account, nonce: nonce.toString(), fee: 1, asset, recipient, memo, amount, fate, validUntilHeight }),
        };
      });
    },
    async replace(text) {
      const { signature: _signature, ...old } = raw.parse(JSON.parse(text));
      const validUntilHeight = validForBlocks === null ? null : (await head()).height + validForBlocks;
      return { nonce: BigInt(old.nonce), ...sign({ ...old, fee: old.fee + 1, fate: 'included', validUntilHeight }) };
    },
    async broadcast(transactions) {
      for (const { hash, raw: text } of transactions) await ledger.submit(hash, raw.parse(JSON.parse(text)));
      return transactions.map(() => 'sent');
    },
    async block(height) {
      const found = await database.query<ChainBlock>({
        name: 'simulated-block',
        text: `select height::int, hash, parent_hash as "parentHash", coalesce((
            select json_agg(json_build_object('hash', t.hash, 'success', t.status = 'success') order by position)
            from simulated_transaction t where t.network = b.network and t.height = b.height), '[]'::json) as transactions
          from simulated_block b where network = $1 and height = $2`,
        values: [name, height],
      });
      const block = found.rows[0];
      if (block === undefined) throw new Error(`${name} has no block ${height} any more`);
      return block;
    },
    async findInclusions(hashes) {
      const found = await database.query<Inclusion & { hash: string }>({
        name: 'simulated-inclusions',
        // Past its last block a transaction can never be included: to the engine that is a failure at that height.
        text: `select t.hash, b.height::int, b.hash as block, t.status = 'success' as success from simulated_transaction t
          join simulated_block b on b.network = t.network and b.height = coalesce(t.height, t.valid_until_height)
          where t.network = $1 and t.hash = any($2) and t.status in ('success','failed','expired')`,
        values: [name, hashes],
      });
      const byHash = new Map(found.rows.map((row) => [row.hash, row]));
      return hashes.map((hash) => byHash.get(hash) ?? null);
    },
    async balances() {
      const paid = await database.query<{ asset: string; amount: string }>({
        name: 'simulated-paid',
        text: `select asset, sum(amount::numeric)::text as amount from simulated_transaction
          where network = $1 and account = $2 and status = 'success' group by asset`,
        values: [name, account],
      });
      const spent = new Map(paid.rows.map((row) => [row.asset, row.amount]));
      return new Map(
        assets
          .filter((entry) => entry.network === name)
          .map(({ asset, decimals }) => [
            asset,
            SUPPLY_UNITS * 10n ** BigInt(decimals) - minorOf(spent.get(asset) ?? '0', decimals),
          ]),
      );
    },
  };
}

function minorOf(text: string, decimals: number): bigint {
  const [whole = '0', fraction = ''] = text.split('.');
  return BigInt(whole + fraction.padEnd(decimals, '0').slice(0, decimals));
}

/** A hash as each network writes it. */
function hashFor(network: SimulatedName, text: string): string {
  if (network === 'solana') return base58.encode(createHash('sha512').update(text).digest());
  const hash = createHash('sha256').update(text).digest('hex');
  return network === 'xrp' ? hash.toUpperCase() : hash;
}
