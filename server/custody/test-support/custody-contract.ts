import { afterAll, beforeAll, describe } from 'vitest';
import { deadlines, type Opened, promiseAnswers } from '#server/custody/test-support/answer-contract.ts';
import { promiseCapabilities } from '#server/custody/test-support/promise-contract.ts';
import type { ProviderUnderContract } from '#server/custody/test-support/provider-under-contract.ts';
import { promiseStrangers } from '#server/custody/test-support/stranger-contract.ts';

/**
 * The contract that every custody adapter must pass, whatever its provider is like: the worker keeps its one promise behind any
 * adapter that does. `openProvider` gives the provider in a laboratory; what differs between providers is read from what the
 * provider declares, and what it declares is tried.
 */
export function describeCustodyContract(name: string, openProvider: () => Promise<ProviderUnderContract>): void {
  describe(name, () => {
    let opened: Opened | undefined;
    beforeAll(async () => {
      const provider = await openProvider();
      const port = provider.connect({ timeoutMs: deadlines.patientMs });
      const promises = await port.capabilities();
      if (promises === null) throw new Error('the provider declares nothing');
      opened = { provider, port, hasty: provider.connect({ timeoutMs: deadlines.hastyMs }), promises };
    });
    afterAll(async () => {
      opened?.port.close();
      opened?.hasty.close();
      await opened?.provider.close();
    });
    const open = () => {
      if (opened === undefined) throw new Error('the provider is not open');
      return opened;
    };

    describe('answers', () => promiseAnswers(open));
    describe('promises', () => promiseCapabilities(open));
    describe('strangers', () => promiseStrangers(open));
  });
}
