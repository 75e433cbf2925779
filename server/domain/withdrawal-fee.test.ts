import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { applyFee, FEE_MODES, maximumRequest, requestedMinorOf } from '#domain/withdrawal-fee.ts';

describe('AM04, AM05: the fee', () => {
  test('on top: all of it arrives, and the balance pays the fee', () => {
    const fee = { amountMinor: 100n, feeMinor: 7n, totalMinor: 107n };
    expect(applyFee({ requestedMinor: 100n, feeMinor: 7n, feeMode: 'on_top' })).toEqual({ kind: 'ok', fee });
  });

  test('from the amount: the fee is missing at the other end', () => {
    const fee = { amountMinor: 93n, feeMinor: 7n, totalMinor: 100n };
    expect(applyFee({ requestedMinor: 100n, feeMinor: 7n, feeMode: 'from_amount' })).toEqual({ kind: 'ok', fee });
  });

  test('an amount as large as the fee leaves nothing to send, one unit more leaves one', () => {
    const from = (requestedMinor: bigint) => applyFee({ requestedMinor, feeMinor: 7n, feeMode: 'from_amount' });
    expect(from(7n)).toEqual({ kind: 'refused', refusal: { code: 'amount_below_fee' } });
    expect(from(8n)).toMatchObject({ kind: 'ok', fee: { amountMinor: 1n, totalMinor: 8n } });
  });

  test('AM06: zero and less are refused in both modes', () => {
    for (const feeMode of FEE_MODES) {
      for (const requestedMinor of [0n, -1n]) {
        const result = applyFee({ requestedMinor, feeMinor: 7n, feeMode });
        expect(result).toEqual({ kind: 'refused', refusal: { code: 'amount_not_positive' } });
      }
    }
  });
});

describe('AM03, AM04: Max', () => {
  test.each([
    [0n, 0n],
    [6n, 0n],
    [7n, 0n],
    [8n, 1n],
    [123_456_789_123_456_789n, 123_456_789_123_456_782n],
  ])('of a balance of %s with a fee of 7 on top is %s, never below zero', (availableMinor, maximum) => {
    expect(maximumRequest({ availableMinor, feeMinor: 7n, feeMode: 'on_top' })).toBe(maximum);
  });

  test('taken whole, it leaves exactly nothing, and one unit more is too much', () => {
    const amounts = fc.bigInt({ min: 0n, max: 10n ** 77n });
    fc.assert(
      fc.property(amounts, amounts, fc.constantFrom(...FEE_MODES), (availableMinor, feeMinor, feeMode) => {
        const requestedMinor = maximumRequest({ availableMinor, feeMinor, feeMode });
        const split = applyFee({ requestedMinor, feeMinor, feeMode });
        if (availableMinor <= feeMinor) expect(requestedMinor).toBe(0n);
        else expect(split).toMatchObject({ kind: 'ok', fee: { totalMinor: availableMinor } });
      }),
    );
  });
});

test('amount and fee are always the total, and the request can be read back from the row', () => {
  const amounts = fc.bigInt({ min: 1n, max: 10n ** 77n });
  fc.assert(
    fc.property(
      amounts,
      fc.bigInt({ min: 0n, max: 10n ** 20n }),
      fc.constantFrom(...FEE_MODES),
      (requestedMinor, feeMinor, feeMode) => {
        const split = applyFee({ requestedMinor, feeMinor, feeMode });
        if (split.kind === 'refused') return;
        expect(split.fee.amountMinor + split.fee.feeMinor).toBe(split.fee.totalMinor);
        expect(requestedMinorOf({ ...split.fee, feeMode })).toBe(requestedMinor);
      },
    ),
  );
});
