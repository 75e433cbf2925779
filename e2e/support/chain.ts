import { getAddress, type Hex, keccak256, pad, toHex } from 'viem';
import { stack } from './running-stack.ts';

/** A transfer that the chain itself remembers, in minor units. */
export interface ChainTransfer {
  readonly contract: string;
  readonly transactionHash: string;
  readonly amountMinor: bigint;
}

const TRANSFER_TOPIC = keccak256(toHex('Transfer(address,address,uint256)'));

/** An address that nobody has ever used, so that every transfer to it belongs to the test that made it. */
export function freshAddress(): string {
  return getAddress(toHex(crypto.getRandomValues(new Uint8Array(20))));
}

/** Every token transfer that ever reached this address, and that no ether came beside it. */
export async function findChainTransfers(address: string): Promise<ChainTransfer[]> {
  const topics = [TRANSFER_TOPIC, null, pad(toHex(BigInt(address), { size: 20 }))];
  const logs = await askChain<{ address: string; transactionHash: Hex; data: Hex }[]>('eth_getLogs', [
    { fromBlock: '0x0', toBlock: 'latest', topics },
  ]);
  const ether = await askChain<Hex>('eth_getBalance', [address, 'latest']);
  if (BigInt(ether) !== 0n) throw new Error(`${address} holds ether that nobody sent on purpose`);
  return logs.map((log) => ({
    contract: getAddress(log.address),
    transactionHash: log.transactionHash,
    amountMinor: BigInt(log.data),
  }));
}

/** Whether the transaction is in a block and did what it said. */
export async function isExecuted(transactionHash: string): Promise<boolean> {
  const receipt = await askChain<{ status: Hex } | null>('eth_getTransactionReceipt', [transactionHash]);
  return receipt !== null && BigInt(receipt.status) === 1n;
}

/** Lets the chain's time pass: a block a second is a demo's pace, not a test's. */
export async function mineBlocks(count: number): Promise<void> {
  await askChain('anvil_mine', [toHex(count)]);
}

/** The contract of the token that withdrawals of USDC move. */
export function usdcContract(): string {
  const { USDC_CONTRACT } = stack.env;
  if (USDC_CONTRACT === undefined) throw new Error('the stack names no contract of USDC');
  return getAddress(USDC_CONTRACT);
}

async function askChain<Answer>(method: string, params: readonly unknown[]): Promise<Answer> {
  const response = await fetch(stack.urls.chain, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  const answer: { result: Answer; error?: { message: string } } = await response.json();
  if (answer.error !== undefined) throw new Error(`${method}: ${answer.error.message}`);
  return answer.result;
}
