import { describe, expect, test } from 'vitest';
import type { Inclusion } from '../networks/payment-network.ts';
import { type JournalRow, judgeTransactions } from './judge-transactions.ts';

function row(changes: Partial<JournalRow> = {}): JournalRow {
  return {
    hash: 'a',
    raw: '',
    nonce: 5n,
    version: 0,
    status: 'broadcast',
    included_height: null,
    included_block: null,
    settled: false,
    ...changes,
  };
}

function judge(rows: JournalRow[], found: Record<string, Inclusion>, chainNonce: bigint | null) {
  return judgeTransactions({
    rows,
    found: new Map(Object.entries(found)),
    chainNonce,
    headHeight: 100,
    finalityBlocks: 3,
  });
}

const inBlock = (height: number, success = true): Inclusion => ({ height, block: `block-${height}`, success });

describe('what the chain means for our journal', () => {
  test('a transaction in a block is confirmed, or failed by its receipt', () => {
    expect(judge([row()], { a: inBlock(99) }, null)).toMatchObject([
      { kind: 'confirmed', height: 99, block: 'block-99' },
    ]);
    expect(judge([row()], { a: inBlock(99, false) }, null)).toMatchObject([{ kind: 'failed' }]);
  });

  test('what is known already changes nothing', () => {
    expect(
      judge([row({ status: 'confirmed', included_height: 99, included_block: 'block-99' })], { a: inBlock(99) }, 6n),
    ).toEqual([]);
  });

  test.each([
    [98, []],
    [97, [{ kind: 'settled', hash: 'a' }]],
  ])('included at %i of 100 with three blocks to finality', (height, expected) => {
    const known = row({ status: 'confirmed', included_height: height, included_block: `block-${height}` });
    expect(judge([known], {}, null)).toEqual(expected);
  });

  test('absence from new blocks says nothing, absence from the whole chain says reorg', () => {
    const known = row({ status: 'confirmed', included_height: 99, included_block: 'block-99' });
    expect(judge([known], {}, null)).toEqual([]);
    expect(judge([known], {}, 5n)).toEqual([{ kind: 'reorged', hash: 'a' }]);
  });

  test('an open transaction that is not in the chain stays open while its number is free', () => {
    expect(judge([row()], {}, 5n)).toEqual([]);
  });

  test('a number spent by a stranger fails the transaction', () => {
    expect(judge([row()], {}, 6n)).toMatchObject([{ kind: 'failed', failureCode: 'nonce_spent' }]);
  });

  test('of two transactions for one number the included one counts and the other is dropped', () => {
    const rows = [row(), row({ hash: 'b', version: 1 })];
    expect(judge(rows, { b: inBlock(99) }, 6n)).toMatchObject([
      { kind: 'dropped', hash: 'a' },
      { kind: 'confirmed', hash: 'b' },
    ]);
    expect(judge(rows, {}, 6n)).toMatchObject([
      { kind: 'dropped', hash: 'a' },
      { kind: 'failed', hash: 'b' },
    ]);
  });

  test('a settled transaction that an older chain does not have is open again', () => {
    const known = row({ status: 'confirmed', included_height: 50, included_block: 'block-50', settled: true });
    expect(judge([known], {}, 5n)).toEqual([{ kind: 'reorged', hash: 'a' }]);
  });
});
