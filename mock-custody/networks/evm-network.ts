import {
  type Address,
  encodeFunctionData,
  getAddress,
  type Hex,
  hexToBigInt,
  keccak256,
  parseAbi,
  parseTransaction,
} from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { z } from 'zod';
import type { JsonRpc, RpcReply } from './json-rpc.ts';
import type { Payment, PaymentNetwork, SignedPayment } from './payment-network.ts';

const erc20 = parseAbi([
  'function transfer(address to, uint256 amount) returns (bool)',
  'function balanceOf(address) view returns (uint256)',
]);

const hex = z
  .string()
  .regex(/^0x[0-9a-fA-F]*$/)
  .transform((text): Hex => `0x${text.slice(2)}`);
const quantity = hex.transform((text) => hexToBigInt(text));
const header = z.object({ number: quantity, hash: hex, parentHash: hex, baseFeePerGas: quantity.optional() });
const fullBlock = header.extend({ transactions: z.array(hex) });
const receipt = z.object({ transactionHash: hex, blockNumber: quantity, blockHash: hex, status: quantity });

const TIP_PER_GAS = 1_000_000_000n;
// A plain payment costs 21,000; contracts that receive ETH get room to note it, and what is not used comes back.
const NATIVE_GAS = 60_000n;
const TOKEN_GAS = 120_000n;
// Too little for a token transfer or for a byte of call data, yet enough to be included: the receipt says status 0.
const REVERTING_GAS = 22_500n;
// A base fee rises by an eighth a full block: ten times lasts for twenty of them.
const FEE_HEADROOM = 10n;
// Ten blocks of a second raise it three times over: well inside the headroom, and the watcher reads it anyway.
const BASE_FEE_LIFE_MS = 10_000;

/** Ether and ERC-20 payments from one key on a real EVM chain. */
export function openEvmNetwork(
  deps: { rpc: JsonRpc },
  input: { privateKey: Hex; chainId: number; tokens: Readonly<Record<string, Address>> },
): PaymentNetwork {
  const account = privateKeyToAccount(input.privateKey);
  let baseFee = { perGas: 1_000_000_000n, readAtMs: Number.NEGATIVE_INFINITY };

  async function head() {
    const latest = header.parse(await deps.rpc.call('eth_getBlockByNumber', ['latest', false]));
    baseFee = { perGas: latest.baseFeePerGas ?? 0n, readAtMs: performance.now() };
    return { height: Number(latest.number), hash: latest.hash, parentHash: latest.parentHash };
  }

  async function signOne(payment: Payment, nonce: bigint): Promise<SignedPayment> {
    const fees = { maxFeePerGas: baseFee.perGas * FEE_HEADROOM + TIP_PER_GAS, maxPriorityFeePerGas: TIP_PER_GAS };
    const common = { type: 'eip1559' as const, chainId: input.chainId, nonce: Number(nonce), ...fees };
    const token = input.tokens[payment.asset];
    const to = getAddress(payment.address);
    const raw = await account.signTransaction(
      token === undefined
        ? {
            ...common,
            to,
            value: payment.amountMinor,
            gas: payment.fate === 'fails' ? REVERTING_GAS : NATIVE_GAS,
            ...(payment.fate === 'fails' ? { data: '0xfe' as const } : {}),
          }
        : {
            ...common,
            to: token,
            data: encodeFunctionData({ abi: erc20, functionName: 'transfer', args: [to, payment.amountMinor] }),
            gas: payment.fate === 'fails' ? REVERTING_GAS : TOKEN_GAS,
          },
    );
    return { hash: keccak256(raw), nonce, raw };
  }

  return {
    name: 'ethereum',
    account: account.address,
    head,
    async nextNonce() {
      return quantity.parse(await deps.rpc.call('eth_getTransactionCount', [account.address, 'latest']));
    },
    async sign(payments, firstNonce) {
      if (performance.now() - baseFee.readAtMs > BASE_FEE_LIFE_MS) await head();
      return Promise.all(payments.map((payment, place) => signOne(payment, firstNonce + BigInt(place))));
    },
    async replace(raw) {
      const old = parseTransaction(hex.parse(raw));
      if (old.type !== 'eip1559') throw new Error('only EIP-1559 transactions are signed here');
      await head();
      // A node takes a replacement only when both fees rise by a tenth; a quarter leaves no doubt.
      const dearer = (fee: bigint | undefined): bigint => ((fee ?? TIP_PER_GAS) * 5n) / 4n + 1n;
      const { r: _r, s: _s, v: _v, yParity: _yParity, ...unsigned } = old;
      const next = await account.signTransaction({
        ...unsigned,
        maxFeePerGas: dearer(old.maxFeePerGas),
        maxPriorityFeePerGas: dearer(old.maxPriorityFeePerGas),
      });
      return { hash: keccak256(next), nonce: BigInt(old.nonce ?? 0), raw: next };
    },
    async broadcast(transactions) {
      const calls = transactions.map(({ raw }) => ({ method: 'eth_sendRawTransaction', params: [raw] }));
      return (await deps.rpc.batch(calls)).map(sentOrLater);
    },
    async block(height) {
      const number = `0x${height.toString(16)}`;
      const [blockReply, receiptsReply] = await deps.rpc.batch([
        { method: 'eth_getBlockByNumber', params: [number, false] },
        { method: 'eth_getBlockReceipts', params: [number] },
      ]);
      const found = fullBlock.parse(blockReply?.result);
      const receipts = z.array(receipt).parse(receiptsReply?.result);
      // The two calls are not one: a reorg between them is found out by the hash and tried again.
      if (receipts.some((entry) => entry.blockHash !== found.hash) || receipts.length !== found.transactions.length)
        throw new Error(`block ${height} changed while it was read`);
      const transactions = receipts.map((entry) => ({ hash: entry.transactionHash, success: entry.status === 1n }));
      return { height, hash: found.hash, parentHash: found.parentHash, transactions };
    },
    async findInclusions(hashes) {
      const replies = await deps.rpc.batch(
        hashes.map((hash) => ({ method: 'eth_getTransactionReceipt', params: [hash] })),
      );
      return replies.map((entry) => {
        if (entry.error !== undefined) throw new Error(`eth_getTransactionReceipt: ${entry.error.message}`);
        const found = receipt.nullish().parse(entry.result);
        if (found == null) return null;
        return { height: Number(found.blockNumber), block: found.blockHash, success: found.status === 1n };
      });
    },
    async balances() {
      const names = Object.keys(input.tokens);
      const [native, ...tokens] = await deps.rpc.batch([
        { method: 'eth_getBalance', params: [account.address, 'latest'] },
        ...names.map((asset) => ({
          method: 'eth_call',
          params: [
            {
              to: input.tokens[asset],
              data: encodeFunctionData({ abi: erc20, functionName: 'balanceOf', args: [account.address] }),
            },
            'latest',
          ],
        })),
      ]);
      const found = new Map([['ETH', quantity.parse(native?.result)]]);
      // A token that is not deployed yet answers "0x": nothing of it can be paid.
      names.forEach((asset, place) => {
        const result = hex.parse(tokens[place]?.result);
        found.set(asset, result === '0x' ? 0n : hexToBigInt(result));
      });
      return found;
    },
  };
}

function sentOrLater(entry: RpcReply): 'sent' | 'later' {
  if (entry.error === undefined) return 'sent';
  // Known already, or its number is used, by itself as a rule: the watcher's receipts say which.
  return /already known|already imported|nonce too low|replacement transaction underpriced/i.test(entry.error.message)
    ? 'sent'
    : 'later';
}
