import {
  type Address,
  createPublicClient,
  createWalletClient,
  getContractAddress,
  type Hex,
  http,
  parseAbi,
} from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { anvil } from 'viem/chains';
import { compileContracts } from './compile.ts';

export type Mint = { token: 'usdc' | 'usdt'; to: Address; amountMinor: bigint };

const dollar = parseAbi(['function mint(address,uint256)', 'function balanceOf(address) view returns (uint256)']);

// Account 1 of every Anvil chain, which pays for custody in a demo, and a milliard of each dollar for it.
const DEMO_HOT_WALLET = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const demoMints: readonly Mint[] = [
  { token: 'usdc', to: DEMO_HOT_WALLET, amountMinor: 1_000_000_000_000_000n },
  { token: 'usdt', to: DEMO_HOT_WALLET, amountMinor: 1_000_000_000_000_000n },
];

/**
 * Puts USDC and USDT on a dev chain, at the addresses of the deployer's transactions 0 and 1, so that everybody knows
 * them beforehand. Where their code is already there nothing is deployed; a mint tops a balance up to its amount.
 * Throws where the deployer has been used for something else.
 */
export async function deployTokens(input: {
  rpcUrl: string;
  deployerKey: Hex;
  mints?: readonly Mint[];
}): Promise<{ usdc: Address; usdt: Address }> {
  const account = privateKeyToAccount(input.deployerKey);
  const transport = http(input.rpcUrl);
  const reader = createPublicClient({ chain: anvil, transport, pollingInterval: 50 });
  const wallet = createWalletClient({ account, chain: anvil, transport });
  const { usdc, usdt } = tokenAddresses(account.address);

  const nonce = await reader.getTransactionCount({ address: account.address, blockTag: 'pending' });
  const tokens = [
    { address: usdc, args: ['USD Coin', 'USDC'] },
    { address: usdt, args: ['Tether USD', 'USDT'] },
  ];
  for (const [place, token] of tokens.entries()) {
    if (nonce > place) continue;
    // Compiled only now: loading the compiler takes seconds, and as a rule there is nothing to deploy.
    const { abi, bytecode } = compileContracts().DollarToken;
    await wallet.deployContract({ abi, bytecode, args: token.args, nonce: place });
  }
  for (const { address } of tokens) await waitForCode(() => reader.getCode({ address }), address);

  for (const mint of input.mints ?? demoMints) {
    const address = mint.token === 'usdc' ? usdc : usdt;
    const balance = await reader.readContract({ address, abi: dollar, functionName: 'balanceOf', args: [mint.to] });
    if (balance >= mint.amountMinor) continue;
    const hash = await wallet.writeContract({
      address,
      abi: dollar,
      functionName: 'mint',
      args: [mint.to, mint.amountMinor - balance],
    });
    await reader.waitForTransactionReceipt({ hash, timeout: 30_000 });
  }
  return { usdc, usdt };
}

/** Where the tokens are, or will be, for this deployer. */
export function tokenAddresses(deployer: Address): { usdc: Address; usdt: Address } {
  return {
    usdc: getContractAddress({ from: deployer, nonce: 0n }),
    usdt: getContractAddress({ from: deployer, nonce: 1n }),
  };
}

// 30 s: a dev chain mines every few seconds at most.
const DEPLOY_MAX_MS = 30_000;

async function waitForCode(read: () => Promise<Hex | undefined>, address: Address): Promise<void> {
  const until = performance.now() + DEPLOY_MAX_MS;
  while ((await read()) === undefined) {
    if (performance.now() > until) throw new Error(`no token at ${address}: was the deployer used for something else?`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
