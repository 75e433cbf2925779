import { describe, expect, it } from 'vitest';
import { encodeState, STATE_BYTES_MAX } from './encode-state.ts';
import { explore } from './explore.ts';
import { PROMISES } from './find-violation.ts';
import { initialState } from './initial-state.ts';
import { runVariant } from './run-model.ts';
import { SAFE_VARIANTS } from './safe-variants.ts';
import { PLAIN_WORLD, PROTOCOL } from './setting.ts';
import { settingOf } from './variant.ts';
import { LIMIT_VARIANTS, WEAKENED_VARIANTS } from './weakened-variants.ts';

/** Below some ten thousand states each: seconds together. The command line explores the rest as well. */
const SMALL = new Set([
  'plain',
  'connection-refused',
  'later',
  'later-repeated',
  'refusal-kept',
  'refusal-by-contract',
  'refusal-unproved',
  'our-restore-and-cancel',
  'our-restore-without-not-after',
  'row-lost-reference-from-key',
  'custody-restore-quiet',
]);
const SMALL_VARIANTS = SAFE_VARIANTS.filter((variant) => SMALL.has(variant.name));

describe('the protocol, explored to the end', () => {
  it.each(SMALL_VARIANTS)('$name keeps every promise and always finds a way to an end', (variant) => {
    expect(runVariant(variant).verdict).toMatchObject({ kind: 'safe' });
  });

  it('every small variant named here exists', () => {
    expect(SMALL_VARIANTS).toHaveLength(SMALL.size);
  });
});

describe('a rule taken away is missed', () => {
  it.each(WEAKENED_VARIANTS)('$name gives a counterexample: $why', (variant) => {
    const { verdict, asExpected } = runVariant(variant);
    expect(asExpected, JSON.stringify(verdict)).toBe(true);
  });

  it('every rule of the protocol is weakened by at least one variant', () => {
    const weakened = new Set(WEAKENED_VARIANTS.flatMap((variant) => Object.keys(variant.rules ?? {})));
    expect(Object.keys(PROTOCOL).filter((rule) => !weakened.has(rule))).toEqual([]);
  });

  it('every promise is broken by at least one variant, so none of them is idle', () => {
    const broken = new Set(WEAKENED_VARIANTS.flatMap((variant) => variant.expects));
    expect(Object.keys(PROMISES).filter((promise) => ![...broken].some((name) => name === promise))).toEqual([]);
  });

  it('the same variant without its weakening is safe, so the rule is what carries it', () => {
    const unprotected = WEAKENED_VARIANTS.filter(
      ({ world }) => explore({ rules: PROTOCOL, world: { ...PLAIN_WORLD, ...world } }).kind !== 'safe',
    );
    expect(unprotected.map((variant) => variant.name)).toEqual([]);
  });
});

describe('what the protocol does not cover', () => {
  it.each(LIMIT_VARIANTS)('$name fails as stated: $why', (variant) => {
    expect(runVariant(variant).asExpected).toBe(true);
  });
});

describe('the search', () => {
  it('tells the shortest way to a broken promise in words', () => {
    const verdict = explore({ rules: { ...PROTOCOL, timeoutMeans: 'failed' }, world: PLAIN_WORLD });
    expect(verdict).toMatchObject({
      kind: 'broken',
      promise: 'paid_after_release',
      path: [
        'the queue delivers a job to worker A',
        'worker A claims the row: queued → dispatching, attempt 1',
        'worker A sends attempt 1',
        'worker A times out',
        'custody handles attempt 1: makes the transfer',
      ],
    });
  });

  it('finds the same number of states each time', () => {
    const setting = settingOf({ name: '', why: '', expects: 'safe', world: { crashes: 1, redeliveries: 2 } });
    const first = explore(setting);
    expect(first.kind).toBe('safe');
    expect(explore(setting)).toEqual(first);
  });

  it('refuses a state that outgrows its encoding instead of mistaking it for another', () => {
    const state = { ...initialState(PLAIN_WORLD), jobs: 8 };
    expect(() => encodeState(state, new Uint8Array(STATE_BYTES_MAX))).toThrow(/outgrew/);
  });
});
