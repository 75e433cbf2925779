import { describe, expect, it } from 'vitest';
import { createCustodyBreaker } from '#server/custody/custody-breaker.ts';

const times = { backoffFirstMs: 10_000, backoffMaxMs: 60_000 };

describe('the breaker', () => {
  it('stays shut for two failures and opens with the third', () => {
    const breaker = createCustodyBreaker(times);
    breaker.noteUnavailable();
    breaker.noteUnavailable();
    expect(breaker.waitMs()).toBe(0);
    breaker.noteUnavailable();
    expect(breaker.waitMs()).toBeGreaterThan(9_000);
  });

  it('waits longer each time, up to its ceiling, and any answer shuts it', () => {
    const breaker = createCustodyBreaker(times);
    for (let failure = 0; failure < 20; failure += 1) breaker.noteUnavailable();
    expect(breaker.waitMs()).toBeGreaterThan(59_000);
    expect(breaker.waitMs()).toBeLessThanOrEqual(60_000);
    breaker.noteAnswer();
    expect(breaker.waitMs()).toBe(0);
  });
});
