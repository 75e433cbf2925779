import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { bytesToHex, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';

export const TRANSFER_TOPIC = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
export const FAKE_TOKEN = `0x${'c0'.repeat(20)}`;
const STRANGER = `0x${'dd'.repeat(20)}`;

export interface FakeLog {
  readonly address: string;
  readonly topics: readonly string[];
  readonly data: string;
}

export interface FakeTransaction {
  readonly hash: string;
  readonly from: string;
  readonly to: string;
  readonly value: bigint;
  readonly succeeded: boolean;
  readonly logs: readonly FakeLog[];
}

export interface FakeBlock {
  readonly number: number;
  readonly hash: string;
  readonly parentHash: string;
  readonly transactions: readonly FakeTransaction[];
}

/** What a lie does to an answer, by its method. */
export type Lie = (method: string, result: unknown) => unknown;

/** A node that we wrote, over HTTP and JSON-RPC like any other: its chain is whatever a test says, and it may lie. */
export class FakeChain {
  /** The present chain, from the first block on. A test puts another one here and that is a reorg. */
  blocks: FakeBlock[];
  lie: Lie = (_, result) => result;
  questions = 0;
  /** Of more questions in one request only half the answer comes. */
  questionsMax = Number.POSITIVE_INFINITY;
  private readonly server: Server;
  private salt = 0;

  constructor() {
    this.blocks = [{ number: 0, hash: hashOf('genesis'), parentHash: hashOf('before'), transactions: [] }];
    this.server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const asked = JSON.parse(Buffer.concat(chunks).toString());
        const answers = Array.isArray(asked) ? asked.map((one) => this.reply(one)) : this.reply(asked);
        const text = JSON.stringify(answers);
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(Array.isArray(asked) && asked.length > this.questionsMax ? text.slice(0, text.length / 2) : text);
      });
    });
  }

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  get head(): FakeBlock {
    const head = this.blocks.at(-1);
    if (head === undefined) throw new Error('a chain without blocks');
    return head;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise<void>((resolve) => this.server.close(() => resolve()));
  }

  /** One block on top of the present chain; two blocks of the same contents are still two. */
  mine(transactions: readonly FakeTransaction[] = []): FakeBlock {
    this.salt += 1;
    const { number, hash } = this.head;
    const names = transactions.map((transaction) => transaction.hash).join();
    const block = { number: number + 1, hash: hashOf(`${hash} ${this.salt} ${names}`), parentHash: hash, transactions };
    this.blocks = [...this.blocks, block];
    return block;
  }

  private reply({ id, method, params }: { id: number; method: string; params: readonly string[] }) {
    this.questions += 1;
    return { jsonrpc: '2.0', id, result: this.lie(method, this.answer(method, params)) };
  }

  private answer(method: string, params: readonly string[]): unknown {
    const [first = ''] = params;
    switch (method) {
      case 'eth_getBlockByNumber': {
        const block = first === 'latest' ? this.head : this.blocks[Number(first)];
        return block === undefined ? null : toWireBlock(block);
      }
      case 'eth_getBlockReceipts': {
        const block = first.length < 66 ? this.blocks[Number(first)] : this.blocks.find((one) => one.hash === first);
        return block === undefined ? null : toWireReceipts(block);
      }
      case 'eth_getTransactionReceipt': {
        const block = this.blocks.find(({ transactions }) => transactions.some(({ hash }) => hash === first));
        const transaction = block?.transactions.find(({ hash }) => hash === first);
        if (block === undefined || transaction === undefined) return null;
        return { blockNumber: toHex(block.number), status: transaction.succeeded ? '0x1' : '0x0' };
      }
      default:
        return null;
    }
  }
}

/** A payment of tokens, with logs of strangers around it so that log indexes and ordinals differ. */
export function tokenPayment(name: string, to: string, amounts: readonly bigint[], strangers = 0): FakeTransaction {
  const from = addressOf(`payer of ${name}`);
  const logs = amounts.map((amount) => transferLog(FAKE_TOKEN, from, to, amount));
  const before = Array.from({ length: strangers }, () => transferLog(STRANGER, from, to, 1n));
  return { hash: hashOf(name), from, to: FAKE_TOKEN, value: 0n, succeeded: true, logs: [...before, ...logs] };
}

export function coinPayment(name: string, to: string, value: bigint, succeeded = true): FakeTransaction {
  return { hash: hashOf(name), from: addressOf(`payer of ${name}`), to, value, succeeded, logs: [] };
}

export function hashOf(text: string): string {
  return `0x${bytesToHex(keccak_256(utf8ToBytes(text)))}`;
}

export function addressOf(text: string): string {
  return hashOf(text).slice(0, 42);
}

function transferLog(address: string, from: string, to: string, amount: bigint): FakeLog {
  const word = (part: string) => `0x${part.slice(2).padStart(64, '0')}`;
  return {
    address,
    topics: [TRANSFER_TOPIC, word(from), word(to)],
    data: `0x${amount.toString(16).padStart(64, '0')}`,
  };
}

const toHex = (number: number | bigint) => `0x${number.toString(16)}`;

function toWireBlock(block: FakeBlock) {
  const { number, hash, parentHash, transactions } = block;
  return {
    number: toHex(number),
    hash,
    parentHash,
    timestamp: toHex(1_700_000_000 + number * 12),
    logsBloom: bloomOf(transactions.flatMap((transaction) => transaction.logs)),
    transactions: transactions.map(({ hash: name, from, to, value }) => ({
      hash: name,
      from,
      to,
      value: toHex(value),
    })),
  };
}

function toWireReceipts(block: FakeBlock) {
  let logIndex = 0;
  return block.transactions.map((transaction, index) => ({
    transactionHash: transaction.hash,
    transactionIndex: toHex(index),
    blockHash: block.hash,
    status: transaction.succeeded ? '0x1' : '0x0',
    logs: transaction.logs.map((log) => {
      const wire = { ...log, blockHash: block.hash, transactionHash: transaction.hash, logIndex: toHex(logIndex) };
      logIndex += 1;
      return wire;
    }),
  }));
}

/** By one big number, and not byte by byte as the reader does it. */
function bloomOf(logs: readonly FakeLog[]): string {
  let bloom = 0n;
  for (const item of logs.flatMap((log) => [log.address, ...log.topics])) {
    const digest = keccak_256(hexToBytes(item.slice(2)));
    for (const pair of [0, 2, 4]) bloom |= 1n << BigInt((((digest[pair] ?? 0) << 8) | (digest[pair + 1] ?? 0)) % 2048);
  }
  return `0x${bloom.toString(16).padStart(512, '0')}`;
}
