import { z } from 'zod';
import type { FaucetAsset } from '#domain/faucet.ts';
import { formatAmount } from '#domain/money.ts';
import type { Database, Statement } from '#server/db/database.ts';
import { issueDepositAddresses, type ShownDepositAddress } from '#server/deposits/issue-deposit-addresses.ts';

/** What one press brings, in minor units: 0.1 ETH, 100 of a token, 0.01 BTC, 2 SOL, 50 XRP. */
const PORTION_MINOR: Readonly<Record<FaucetAsset, bigint>> = {
  ETH: 10n ** 17n,
  USDC: 100_000_000n,
  USDT: 100_000_000n,
  BTC: 1_000_000n,
  SOL: 2_000_000_000n,
  XRP: 50_000_000n,
};

// The first account of every dev chain, unlocked there: it deployed the tokens and may mint them.
const FAUCET_ACCOUNT = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266';
// mint(address,uint256)
const MINT = '0x40c10f19';
const TIMEOUT_MS = 5_000;

const rpcSchema = z.object({ result: z.string().optional(), error: z.object({ message: z.string() }).optional() });
const simulatedSchema = z.object({ hash: z.string() });

interface Payment {
  readonly asset: FaucetAsset;
  readonly to: ShownDepositAddress;
  readonly contract: string | null;
  /** In whole units. */
  readonly amount: string;
}

/**
 * Pays a customer's deposit address where coins are worth nothing, so that a deposit can be watched: on the dev chain, or where
 * custody simulates the network. Demo only.
 *
 * @returns null for a pair that there is not, or a network whose chain is not given
 */
export async function payFromFaucet(
  deps: { db: Database },
  input: {
    customerId: string;
    asset: FaucetAsset;
    network: string;
    chainRpcUrl: string | null;
    simulatedChainsUrl: string | null;
  },
): Promise<{ transactionHash: string; amount: string } | null> {
  const { asset, network } = input;
  const addresses = await issueDepositAddresses(deps, input);
  const to = addresses.find((one) => one.networkId === network);
  const [pair] = await deps.db.query<PairRow>(findPairSql, [asset, network]);
  const url = pair?.family === 'evm' ? input.chainRpcUrl : input.simulatedChainsUrl;
  if (to === undefined || pair === undefined || url === null) return null;
  const amount = formatAmount(PORTION_MINOR[asset], pair.decimals);
  const payment = { asset, to, contract: pair.contract, amount };
  const transactionHash = pair.family === 'evm' ? await payOnDevChain(url, payment) : await paySimulated(url, payment);
  return { transactionHash, amount };
}

async function payOnDevChain(url: string, { asset, to: { address: to }, contract }: Payment): Promise<string> {
  const amount = PORTION_MINOR[asset].toString(16);
  const word = (digits: string) => digits.toLowerCase().padStart(64, '0');
  const fields =
    asset === 'ETH'
      ? { from: FAUCET_ACCOUNT, to, value: `0x${amount}` }
      : { from: FAUCET_ACCOUNT, to: contract, data: `${MINT}${word(to.slice(2))}${word(amount)}` };
  const body = { jsonrpc: '2.0', id: 1, method: 'eth_sendTransaction', params: [fields] };
  const answer = rpcSchema.parse(await post(url, body));
  if (answer.result === undefined) throw new Error(`the dev chain refused: ${answer.error?.message ?? 'no reason'}`);
  return answer.result;
}

async function paySimulated(url: string, { asset, to, amount }: Payment): Promise<string> {
  const path = new URL(`/control/sim/${encodeURIComponent(to.networkId)}/deposits`, url);
  return simulatedSchema.parse(await post(path, { asset, address: to.address, memo: to.memo, amount })).hash;
}

async function post(url: string | URL, body: object): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    redirect: 'error',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  return await response.json();
}

interface PairRow {
  readonly contract: string | null;
  readonly decimals: number;
  readonly family: string;
}

const findPairSql: Statement = {
  name: 'find_faucet_pair',
  text: `
    select p.contract, a.decimals, n.family from asset_networks p join assets a on a.id = p.asset_id join networks n on n.id = p.network_id
    where p.asset_id = $1 and p.network_id = $2`,
};
