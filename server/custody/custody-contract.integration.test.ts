import { afterAll, beforeAll, describe } from 'vitest';
import { describeCustodyContract } from '#server/custody/test-support/custody-contract.ts';
import { type MockProvider, startMockProvider } from '#server/custody/test-support/mock-provider.ts';

// Every kind of provider that the mock can be. A lag of seconds is shown by a lag of a moment.
const PROFILES: Readonly<Record<string, object>> = {
  replays: {},
  refuses_duplicate_400: {},
  forgets_keys: {},
  burns_key_after_error: {},
  no_permanent_reference: {},
  no_lookup_by_reference: {},
  lookup_lags: { readLagMs: 250 },
  validates_first: {},
  drops_refusals: {},
};

describe('the HTTP adapter keeps the contract before a provider that', () => {
  let mock: MockProvider | undefined;
  beforeAll(async () => {
    mock = await startMockProvider();
  });
  afterAll(() => mock?.stop());

  for (const [profile, overrides] of Object.entries(PROFILES)) {
    describeCustodyContract(profile.replaceAll('_', ' '), () => {
      if (mock === undefined) throw new Error('the mock did not start');
      return mock.become(profile, overrides);
    });
  }
});
