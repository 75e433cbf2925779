import { describe, expect, it } from 'vitest';
import { backoffMs, findBrokenOrder, findUnfitCustody, readProtocolTimes } from '#server/protocol-times.ts';

const presets = ['production', 'proof'] as const;

describe('the protocol times', () => {
  it.each(presets)('of the %s preset are in order', (preset) => {
    expect(findBrokenOrder(readProtocolTimes(preset))).toBeNull();
  });

  const pairs = [
    ['custodyTimeoutMs', 'custodyRequestMaxMs'],
    ['jobLockMs', 'custodyTimeoutMs'],
    ['quietPeriodMs', 'jobLockMs'],
    ['notAfterMs', 'quietPeriodMs'],
    ['keyWindowMs', 'notAfterMs'],
  ] as const;
  it.each(pairs)('refuse a %s that is no longer than %s', (longer, shorter) => {
    const times = readProtocolTimes('production');
    expect(findBrokenOrder({ ...times, [longer]: times[shorter] })).toContain(
      `${shorter} must be shorter than ${longer}`,
    );
  });

  it('refuse a not-after that ends outside the key window', () => {
    const times = readProtocolTimes('production');
    expect(findBrokenOrder({ ...times, keyWindowMs: times.notAfterMs + times.quietPeriodMs })).toContain(
      'inside keyWindowMs',
    );
    expect(findBrokenOrder({ ...times, keyWindowMs: times.notAfterMs + times.quietPeriodMs + 1 })).toBeNull();
  });
});

describe('a provider’s declaration', () => {
  const times = readProtocolTimes('production');
  const fit = { maxRequestMs: times.custodyTimeoutMs - 1, readLagMs: 0, keyWindowMs: times.keyWindowMs };
  it('fits when its requests end before our time-out and its keys live beyond our not-after', () => {
    expect(findUnfitCustody(times, fit)).toBeNull();
    expect(findUnfitCustody(times, { ...fit, maxRequestMs: times.custodyTimeoutMs })).not.toBeNull();
    expect(findUnfitCustody(times, { ...fit, keyWindowMs: times.notAfterMs })).not.toBeNull();
    expect(findUnfitCustody(times, { ...fit, readLagMs: times.notAfterMs })).not.toBeNull();
  });
});

describe('a backoff', () => {
  it('doubles up to its ceiling and never overflows', () => {
    expect([0, 1, 2, 3, 4].map((tries) => backoffMs(100, 1_000, tries))).toEqual([100, 200, 400, 800, 1_000]);
    expect(backoffMs(100, 1_000, 10_000)).toBe(1_000);
  });
});
