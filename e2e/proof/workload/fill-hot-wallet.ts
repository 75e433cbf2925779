import { createPublicClient, createWalletClient, getAddress, type Hex, http, parseAbi, toHex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { anvil } from 'viem/chains';
import { DEPLOYER_KEY } from '#stack/demo-keys.ts';
import type { Books } from '../proof-world.ts';

const ABI = parseAbi(['function mint(address,uint256)']);
const TOKENS_MINOR = 10n ** 15n;
const ETHER_MINOR = 10n ** 24n;

/** Gives custody's wallet the coins that the run's customers own. @returns the wallet's address */
export async function fillHotWallet(world: Books): Promise<string> {
  const { urls, env } = world.stack;
  const { CUSTODY_API_KEY, USDC_CONTRACT, USDT_CONTRACT } = env;
  const answer = await fetch(`${urls.custody}/v1/balances`, {
    headers: { authorization: `Bearer ${CUSTODY_API_KEY}` },
  });
  const { data } = (await answer.json()) as { data: { network: string; address: string | null }[] };
  const address = data.find(({ network }) => network === 'ethereum')?.address;
  if (!address) throw new Error('custody names no wallet on ethereum');
  const wallet = getAddress(address);
  await world.askChain('anvil_setBalance', [wallet, toHex(ETHER_MINOR)]);
  const chain = createPublicClient({ chain: anvil, transport: http(urls.chain), pollingInterval: 50 });
  const writer = createWalletClient({
    account: privateKeyToAccount(DEPLOYER_KEY as Hex),
    chain: anvil,
    transport: http(urls.chain),
  });
  for (const contract of [USDC_CONTRACT, USDT_CONTRACT]) {
    const hash = await writer.writeContract({
      address: getAddress(contract ?? ''),
      abi: ABI,
      functionName: 'mint',
      args: [wallet, TOKENS_MINOR],
    });
    await chain.waitForTransactionReceipt({ hash, timeout: 30_000 });
  }
  return wallet;
}
