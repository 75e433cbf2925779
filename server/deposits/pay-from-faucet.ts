import { z } from 'zod';
import { invariant } from '#domain/invariant.ts';
import { formatAmount } from '#domain/money.ts';
import type { Database, Statement } from '#server/db/database.ts';
import { issueDepositAddresses } from '#server/deposits/issue-deposit-addresses.ts';

/** What one press brings, in minor units: 0.1 ETH, 100 of a token. */
const PORTION_MINOR = { ETH: 10n ** 17n, USDC: 100_000_000n, USDT: 100_000_000n } as const;
// The first account of every dev chain, unlocked there: it deployed the tokens and may mint them.
const FAUCET_ACCOUNT = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266';
// mint(address,uint256)
const MINT = '0x40c10f19';
const TIMEOUT_MS = 5_000;

const answerSchema = z.object({ result: z.string().optional(), error: z.object({ message: z.string() }).optional() });

/** Pays a customer's deposit address on the dev chain, so that a deposit can be watched. Demo only. */
export async function payFromFaucet(
  deps: { db: Database },
  input: { customerId: string; asset: keyof typeof PORTION_MINOR; chainRpcUrl: string },
): Promise<{ transactionHash: string; amount: string }> {
  const { asset } = input;
  const addresses = await issueDepositAddresses(deps, input);
  const to = addresses.find((one) => one.networkId === 'ethereum')?.address;
  invariant(to !== undefined, 'every customer has an address on the dev chain');
  const [pair] = await deps.db.query<{ contract: string | null; decimals: number }>(findContractSql, [asset]);
  invariant(pair !== undefined, 'what the faucet pays is seeded');
  const amount = PORTION_MINOR[asset].toString(16);
  const word = (digits: string) => digits.toLowerCase().padStart(64, '0');
  const fields =
    asset === 'ETH'
      ? { from: FAUCET_ACCOUNT, to, value: `0x${amount}` }
      : { from: FAUCET_ACCOUNT, to: pair.contract, data: `${MINT}${word(to.slice(2))}${word(amount)}` };
  const response = await fetch(input.chainRpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_sendTransaction', params: [fields] }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  const answer = answerSchema.parse(await response.json());
  if (answer.result === undefined) throw new Error(`the dev chain refused: ${answer.error?.message ?? 'no reason'}`);
  return { transactionHash: answer.result, amount: formatAmount(PORTION_MINOR[asset], pair.decimals) };
}

const findContractSql: Statement = {
  name: 'find_faucet_contract',
  text: `
    select p.contract, a.decimals from asset_networks p join assets a on a.id = p.asset_id
    where p.asset_id = $1 and p.network_id = 'ethereum'`,
};
