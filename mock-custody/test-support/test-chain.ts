import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { type Address, createTestClient, type Hex, http, parseEther, publicActions } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { anvil } from 'viem/chains';
import { deployTokens } from '../contracts/deploy.ts';
import { findFreePort } from './free-port.ts';
import { waitUntil } from './wait-until.ts';

export type TestChain = {
  rpcUrl: string;
  client: ReturnType<typeof openClient>;
  hotWallet: { key: Hex; address: Address };
  tokens: { usdc: Address; usdt: Address };
  close: () => Promise<void>;
};

/**
 * A chain with a hot wallet and tokens of the test's own. `private` starts a node for this test alone, which may then be
 * reorganised; otherwise the node of TEST_CHAIN_RPC_URL is used, where there is one.
 */
export async function openTestChain(input: { private: boolean }): Promise<TestChain> {
  const given = process.env.TEST_CHAIN_RPC_URL;
  const node =
    input.private || given === undefined || given === ''
      ? await startAnvil()
      : { rpcUrl: given, stop: () => Promise.resolve() };
  const client = openClient(node.rpcUrl);
  const key = generatePrivateKey();
  const hotWallet = { key, address: privateKeyToAccount(key).address };
  const deployerKey = generatePrivateKey();
  const deployer = privateKeyToAccount(deployerKey).address;
  for (const address of [hotWallet.address, deployer]) await client.setBalance({ address, value: parseEther('1000') });
  const amountMinor = 1_000_000_000_000n;
  const mints = [
    { token: 'usdc' as const, to: hotWallet.address, amountMinor },
    { token: 'usdt' as const, to: hotWallet.address, amountMinor },
  ];
  const tokens = await deployTokens({ rpcUrl: node.rpcUrl, deployerKey, mints });
  return { rpcUrl: node.rpcUrl, client, hotWallet, tokens, close: node.stop };
}

function openClient(rpcUrl: string) {
  return createTestClient({ chain: anvil, mode: 'anvil', transport: http(rpcUrl), pollingInterval: 50 }).extend(
    publicActions,
  );
}

async function startAnvil(): Promise<{ rpcUrl: string; stop: () => Promise<void> }> {
  const require = createRequire(import.meta.url);
  const platform = `${process.platform}-${process.arch === 'x64' ? 'amd64' : process.arch}`;
  const home = dirname(require.resolve(`@foundry-rs/anvil-${platform}/package.json`));
  const port = await findFreePort();
  const node = spawn(join(home, 'bin', 'anvil'), ['--port', String(port), '--silent'], { stdio: 'ignore' });
  const rpcUrl = `http://127.0.0.1:${port}`;
  const probe = openClient(rpcUrl);
  await waitUntil('Anvil of the test', () =>
    probe.getBlockNumber().then(
      () => true,
      () => false,
    ),
  );
  return {
    rpcUrl,
    async stop() {
      node.kill('SIGKILL');
      await once(node, 'exit');
    },
  };
}
