import { type ChildProcess, spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { encodeAbiParameters, getContractAddress, type Hex, keccak256, toHex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { findFreePort } from '#stack/state-folder.ts';
import { waitUntil } from '#stack/wait-until.ts';

/** A chain of one test's own: reorgs and held blocks disturb nobody else. Mines only when told. */
export interface OwnChain {
  readonly url: string;
  rpc<Result>(method: string, params?: unknown[]): Promise<Result>;
  mine(blocks?: number): Promise<void>;
  /** Signs a payment of the chain's own coin; the bytes may be sent any number of times. */
  signPayment(to: string, value: bigint, tipWei?: bigint): Promise<{ hash: string; raw: Hex }>;
  send(raw: Hex): Promise<void>;
  /** A transaction that emits token transfers from a contract of its own, whose address it names. */
  signTokenTransfers(
    transfers: readonly { to: string; amount: bigint }[],
  ): Promise<{ hash: string; raw: Hex; contract: string }>;
  /** A transaction that is included and fails. */
  signFailing(): Promise<{ hash: string; raw: Hex }>;
  /** The last signed transaction is never sent, so its number is free again. */
  forget(): void;
  stop(): Promise<void>;
}

// The first account of every dev chain: published, funded here, worth nothing anywhere else.
const ACCOUNT = privateKeyToAccount('0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80');
const TRANSFER = keccak256(toHex('Transfer(address,address,uint256)'));

export async function startOwnChain(): Promise<OwnChain> {
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  const process = spawn(findAnvil(), ['--port', String(port), '--host', '127.0.0.1', '--silent', '--no-mining'], {
    stdio: 'ignore',
  });
  let id = 0;
  let nonce = 0;
  const rpc = async <Result>(method: string, params: unknown[] = []): Promise<Result> => {
    id += 1;
    const body = JSON.stringify({ jsonrpc: '2.0', id, method, params });
    const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    const answer = (await response.json()) as { result: Result; error?: { message: string } };
    if (answer.error !== undefined) throw new Error(`${method}: ${answer.error.message}`);
    return answer.result;
  };
  const sign = async (fields: { to?: Hex; value?: bigint; data?: Hex; maxPriorityFeePerGas?: bigint }) => {
    const raw = await ACCOUNT.signTransaction({
      chainId: 31_337,
      nonce,
      gas: 1_000_000n,
      maxFeePerGas: 10n ** 11n,
      maxPriorityFeePerGas: 1n,
      type: 'eip1559',
      ...fields,
    });
    nonce += 1;
    return { hash: keccak256(raw), raw };
  };
  await untilUp(rpc, process);
  return {
    url,
    rpc,
    mine: async (blocks = 1) => {
      await rpc('anvil_mine', [toHex(blocks)]);
    },
    signPayment: (to, value, tipWei = 1n) => sign({ to: to as Hex, value, maxPriorityFeePerGas: tipWei }),
    send: async (raw) => {
      await rpc('eth_sendRawTransaction', [raw]);
    },
    async signTokenTransfers(transfers) {
      const contract = getContractAddress({ from: ACCOUNT.address, nonce: BigInt(nonce) }).toLowerCase();
      return { ...(await sign({ data: transferCode(transfers) })), contract };
    },
    // The one instruction that is invalid by definition.
    signFailing: () => sign({ data: '0xfe' }),
    forget: () => {
      nonce -= 1;
    },
    stop: () =>
      new Promise((resolve) => {
        process.once('exit', () => resolve());
        process.kill('SIGKILL');
      }),
  };
}

/** Code that runs at creation: for each transfer it stores the amount and logs it with its three topics, then stops. */
function transferCode(transfers: readonly { to: string; amount: bigint }[]): Hex {
  const word = (address: string) => encodeAbiParameters([{ type: 'address' }], [address as Hex]).slice(2);
  const steps = transfers.map(({ to, amount }) => {
    const amountWord = amount.toString(16).padStart(64, '0');
    return `7f${amountWord}5f527f${word(to)}7f${word(ACCOUNT.address)}7f${TRANSFER.slice(2)}60205fa3`;
  });
  return `0x${steps.join('')}00`;
}

async function untilUp(rpc: OwnChain['rpc'], process: ChildProcess): Promise<void> {
  const isUp = () => {
    if (process.exitCode !== null) throw new Error('the chain ended before it was up');
    return rpc('eth_blockNumber').then(
      () => true,
      () => false,
    );
  };
  await waitUntil(isUp, { what: 'the chain was not up', withinMs: 20_000 });
}

function findAnvil(): string {
  const architecture = process.arch === 'x64' ? 'amd64' : process.arch;
  const manifest = createRequire(import.meta.url).resolve(
    `@foundry-rs/anvil-${process.platform}-${architecture}/package.json`,
  );
  return join(dirname(manifest), 'bin', process.platform === 'win32' ? 'anvil.exe' : 'anvil');
}
