import { expect, test } from 'vitest';
import { profileNames, profileRules } from './profiles.ts';

const DAY_SECONDS = 86_400;

test('every profile but the first differs from it in what it promises or does', () => {
  const first = profileRules('replays', DAY_SECONDS, {});
  for (const name of profileNames.slice(1)) expect(profileRules(name, DAY_SECONDS, {})).not.toEqual(first);
});

test('no profile gives up the reference and the not-after together', () => {
  for (const name of profileNames) {
    const { referenceKept, notAfterHonoured } = profileRules(name, DAY_SECONDS, {});
    expect(referenceKept || notAfterHonoured).toBe(true);
  }
});

test('an override wins over the profile', () => {
  expect(profileRules('lookup_lags', DAY_SECONDS, { readLagMs: 7 }).readLagMs).toBe(7);
});
