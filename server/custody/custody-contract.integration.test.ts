import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sortAnswer } from '#domain/custody-outcome.ts';
import { readCustodyStatement, readStatementKeys } from '#server/custody/read-custody-statement.ts';
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

  test('signs a statement as we read it, and makes nothing of the bytes that were still under way', async () => {
    if (mock === undefined) throw new Error('the mock did not start');
    const provider = await mock.become('no_permanent_reference');
    const adapter = provider.connect({ timeoutMs: 5_000 });
    const { meaning, expected } = provider.payment();
    const { body } = adapter.writeRequest(meaning);
    const { publicKey, ...statement } = await mock.askStatement(meaning.reference);
    expect(readCustodyStatement(readStatementKeys([publicKey]), statement)).toMatchObject({
      kind: 'read',
      statement: { externalId: meaning.reference },
    });
    const exchange = await adapter.createTransfer({ key: meaning.reference, body });
    expect(exchange.response?.bodyText).toContain('reference_closed');
    // No answer of theirs that we were not told of decides anything.
    expect(sortAnswer(exchange, expected, adapter.answerContract).kind).toBe('in_doubt');
    expect(await provider.made(meaning.reference)).toBe(0);
    adapter.close();
  });
});
