import { describe, expect, test } from 'vitest';
import { type MemoRequest, parseMemo } from '#domain/memo.ts';

const TAG: MemoRequest = {
  rule: 'required_choice',
  family: 'xrp',
  memo: null,
  noMemoNeeded: false,
  embeddedMemo: null,
};
const TEXT: MemoRequest = { ...TAG, rule: 'optional', family: 'solana' };

function codeOf(request: MemoRequest): string {
  const result = parseMemo(request);
  return result.kind === 'ok' ? 'ok' : result.refusal.code;
}

describe('AD04: a numeric tag', () => {
  test.each(['0', '7', '4294967295'])('%s goes through unchanged', (memo) => {
    expect(parseMemo({ ...TAG, memo })).toEqual({ kind: 'ok', memo });
  });

  test.each(['007', '4294967296', '99999999999', '-1', '1.0', '1e3', 'abc', '', ' 7', '7\u200b', '٧'])(
    '%j is refused, not mended',
    (memo) => {
      expect(codeOf({ ...TAG, memo })).toBe('memo_malformed');
    },
  );
});

describe('AD04: a text memo', () => {
  test.each(['007', 'a'.repeat(28), 'ü'.repeat(14), 'two words'])('%j goes through unchanged', (memo) => {
    expect(parseMemo({ ...TEXT, memo })).toEqual({ kind: 'ok', memo });
  });

  test.each(['a'.repeat(29), `${'ü'.repeat(14)}a`, '', ' x', 'x\n', 'a\u202eb'])('%j is refused', (memo) => {
    expect(codeOf({ ...TEXT, memo })).toBe('memo_malformed');
  });

  test('none is needed where it is optional', () => {
    expect(parseMemo(TEXT)).toEqual({ kind: 'ok', memo: null });
  });
});

describe('AD06: the choice', () => {
  test('nothing said is refused, and the word that none is needed leaves the field out', () => {
    expect(codeOf(TAG)).toBe('memo_required_choice');
    expect(parseMemo({ ...TAG, noMemoNeeded: true })).toEqual({ kind: 'ok', memo: null });
  });

  test('a memo beside the word that none is needed is refused', () => {
    expect(codeOf({ ...TAG, memo: '7', noMemoNeeded: true })).toBe('memo_malformed');
  });
});

describe('AD05: the tag in the address', () => {
  const packed = { ...TAG, embeddedMemo: '14' };

  test('is the memo, written again or not', () => {
    expect(parseMemo(packed)).toEqual({ kind: 'ok', memo: '14' });
    expect(parseMemo({ ...packed, memo: '14' })).toEqual({ kind: 'ok', memo: '14' });
  });

  test('is never dropped for another one or for none', () => {
    expect(codeOf({ ...packed, memo: '15' })).toBe('memo_malformed');
    expect(codeOf({ ...packed, noMemoNeeded: true })).toBe('memo_malformed');
  });
});

test('AD05: a network without memos refuses one instead of dropping it', () => {
  const none: MemoRequest = { ...TAG, rule: 'none', family: 'evm' };
  expect(parseMemo(none)).toEqual({ kind: 'ok', memo: null });
  expect(codeOf({ ...none, memo: 'X1' })).toBe('memo_not_supported');
  expect(codeOf({ ...none, memo: '' })).toBe('memo_not_supported');
});
