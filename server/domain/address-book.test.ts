import { expect, test } from 'vitest';
import {
  ADDRESS_HOLD_MS,
  ALLOW_LIST_OFF_DELAY_MS,
  allowListApplies,
  bookVerdict,
  frozenUntilMs,
  SECURITY_FREEZE_MS,
  usableFromMs,
} from '#domain/address-book.ts';

const ENTRY = { networkId: 'xrp', address: 'r9cZA1mLK5R5Am25ArfXFmqgNwjZgnfk59', memo: '7', addedAtMs: 1_000 };

test('a new entry is on hold for a day, to the millisecond', () => {
  const at = (nowMs: number) => bookVerdict(ENTRY, [ENTRY], { kind: 'off' }, nowMs);
  expect(at(usableFromMs(ENTRY) - 1)).toBe('on_hold');
  expect(at(1_000 + ADDRESS_HOLD_MS)).toBe('usable');
});

test('an address with another memo or on another network is another destination', () => {
  const long = usableFromMs(ENTRY) + 1;
  for (const change of [{ memo: '8' }, { memo: null }, { networkId: 'tron' }, { address: 'r' }]) {
    expect(bookVerdict({ ...ENTRY, ...change }, [ENTRY], { kind: 'off' }, long)).toBe('unlisted');
    expect(bookVerdict({ ...ENTRY, ...change }, [ENTRY], { kind: 'on', offRequestedAtMs: null }, long)).toBe(
      'not_allowed',
    );
  }
});

test('switching the protection off takes effect after its delay', () => {
  const asked = { kind: 'on', offRequestedAtMs: 5_000 } as const;
  expect(allowListApplies(asked, 5_000 + ALLOW_LIST_OFF_DELAY_MS - 1)).toBe(true);
  expect(allowListApplies(asked, 5_000 + ALLOW_LIST_OFF_DELAY_MS)).toBe(false);
  expect(allowListApplies({ kind: 'on', offRequestedAtMs: null }, Number.MAX_SAFE_INTEGER)).toBe(true);
  expect(allowListApplies({ kind: 'off' }, 0)).toBe(false);
});

test('a security change freezes for a day, and none freezes nothing', () => {
  expect(frozenUntilMs(7)).toBe(7 + SECURITY_FREEZE_MS);
  expect(frozenUntilMs(null)).toBeNull();
});
