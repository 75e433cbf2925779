import { keccak_256 } from '@noble/hashes/sha3.js';
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';
import { describe, expect, it } from 'vitest';
import { ChainAnswerRefused } from '#server/chain/chain-port.ts';
import { blockSchema, readBlock, receiptsSchema } from '#server/chain/chain-wire.ts';

const hash = (digit: string) => `0x${digit.repeat(64)}`;
const address = (digit: string) => `0x${digit.repeat(40)}`;
const topicOf = (digit: string) => `0x${'0'.repeat(24)}${digit.repeat(40)}`;
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
const TOKEN = address('c');
const STRANGER = address('d');

function log(index: number, changes: object = {}) {
  return {
    address: TOKEN,
    topics: [TRANSFER, topicOf('a'), topicOf('b')],
    data: `0x${(5).toString(16).padStart(64, '0')}`,
    blockHash: hash('1'),
    transactionHash: hash('2'),
    logIndex: `0x${index.toString(16)}`,
    ...changes,
  };
}

type Log = ReturnType<typeof log>;

/** Written a second time and in another way than the reader's, so that the two can disagree. */
function bloomOf(logs: readonly Log[]): string {
  let bloom = 0n;
  for (const item of logs.flatMap((one) => [one.address, ...one.topics])) {
    const digest = bytesToHex(keccak_256(hexToBytes(item.slice(2))));
    for (const start of [0, 4, 8]) bloom |= 1n << BigInt(Number.parseInt(digest.slice(start, start + 4), 16) % 2048);
  }
  return `0x${bloom.toString(16).padStart(512, '0')}`;
}

function answer(input: {
  logs?: Log[];
  status?: string;
  value?: string;
  block?: object;
  receipt?: object;
  receipts?: object[];
}) {
  const logs = input.logs ?? [];
  const block = blockSchema.parse({
    number: '0x7',
    hash: hash('1'),
    parentHash: hash('0'),
    timestamp: '0x65000000',
    logsBloom: bloomOf(logs),
    transactions: [{ hash: hash('2'), from: address('a'), to: address('b'), value: input.value ?? '0x0' }],
    ...input.block,
  });
  const receipt = {
    transactionHash: hash('2'),
    transactionIndex: '0x0',
    blockHash: hash('1'),
    status: input.status ?? '0x1',
    logs,
    ...input.receipt,
  };
  const receipts = receiptsSchema.parse(input.receipts ?? [receipt]);
  if (block === null || receipts === null) throw new Error('not an answer');
  return { block, receipts };
}

const read = (input: Parameters<typeof answer>[0]) => {
  const { block, receipts } = answer(input);
  return readBlock(block, receipts, new Set([TOKEN]));
};

describe('a block', () => {
  it('gives token transfers by their place among all logs of the receipt, watched or not', () => {
    const { transfers } = read({ logs: [log(0, { address: STRANGER }), log(1), log(2)] });
    expect(transfers).toEqual([
      {
        transactionHash: hash('2'),
        ordinal: 2,
        contract: TOKEN,
        from: address('a'),
        to: address('b'),
        amountMinor: 5n,
      },
      {
        transactionHash: hash('2'),
        ordinal: 3,
        contract: TOKEN,
        from: address('a'),
        to: address('b'),
        amountMinor: 5n,
      },
    ]);
  });

  it('counts each receipt from its own first log, so that a reorg which moves a transaction moves no transfer', () => {
    const second = { transactionHash: hash('3'), logIndex: '0x1' };
    const logs = [log(0), log(1, second)];
    const sent = { from: address('a'), to: address('b'), value: '0x0' };
    const receipt = { blockHash: hash('1'), status: '0x1' };
    const { transfers } = read({
      logs,
      block: {
        transactions: [
          { ...sent, hash: hash('2') },
          { ...sent, hash: hash('3') },
        ],
      },
      receipts: [
        { ...receipt, transactionHash: hash('2'), transactionIndex: '0x0', logs: logs.slice(0, 1) },
        { ...receipt, transactionHash: hash('3'), transactionIndex: '0x1', logs: logs.slice(1) },
      ],
    });
    expect(transfers.map(({ ordinal }) => ordinal)).toEqual([1, 1]);
  });

  it('gives the value of a transaction that succeeded, and nothing of one that failed (EC105)', () => {
    expect(read({ value: '0x10' }).transfers).toMatchObject([{ ordinal: 0, contract: null, amountMinor: 16n }]);
    expect(read({ value: '0x10', status: '0x0' }).transfers).toEqual([]);
  });

  it('ignores a log with a fourth topic, or with data that is no amount', () => {
    expect(
      read({ logs: [log(0, { topics: [TRANSFER, topicOf('a'), topicOf('b'), topicOf('e')] }), log(1, { data: '0x' })] })
        .transfers,
    ).toEqual([]);
  });

  const lies: readonly [string, Parameters<typeof answer>[0]][] = [
    ['empty logs beside a bloom that is not empty', { block: { logsBloom: bloomOf([log(0)]) } }],
    ['a log that the bloom does not hold', { logs: [log(0)], block: { logsBloom: bloomOf([]) } }],
    ['a log of another block', { logs: [log(0, { blockHash: hash('9') })] }],
    ['a log of another transaction', { logs: [log(0, { transactionHash: hash('9') })] }],
    ['a log index twice', { logs: [log(0), log(0)] }],
    ['a gap between log indexes', { logs: [log(0), log(2)] }],
    ['a receipt of another block', { receipt: { blockHash: hash('9') } }],
    ['a receipt of another transaction', { receipt: { transactionHash: hash('9') } }],
    ['a missing receipt', { receipts: [] }],
  ];
  it.each(lies)('with %s is refused (EC102)', (_, input) => {
    expect(() => read(input)).toThrow(ChainAnswerRefused);
  });
});
