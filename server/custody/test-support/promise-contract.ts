import { describe, expect, it, vi } from 'vitest';
import { mayStartWith, quietPeriodMs } from '#domain/custody-capabilities.ts';
import { deadlines, lookUp, type Opened, PATIENCE, send } from '#server/custody/test-support/answer-contract.ts';

/** Every capability that is declared is tried: a provider that promises more than it keeps is found here and not in production. */
export function promiseCapabilities(open: () => Opened): void {
  const found = async (reference: string) => {
    const answer = await lookUp(open(), reference);
    return answer.kind === 'found' ? answer.transfers : [];
  };

  it('declares itself, whole, and says nothing that would forbid the start', async () => {
    const { promises } = open();
    expect(quietPeriodMs(promises)).toBeGreaterThan(0);
    expect(promises.keyWindowMs).toBeGreaterThan(quietPeriodMs(promises));
    expect(mayStartWith(promises, false)).toBe(true);
  });

  it('a reference that is kept for ever refuses a second transfer under another key', async () => {
    const { provider, port, promises } = open();
    const payment = provider.payment();
    const { reference } = payment.meaning;
    await send(port, payment);
    const second = await send(port, payment, crypto.randomUUID());
    if (promises.referenceKept) expect(second).toMatchObject({ kind: 'in_doubt', reason: 'duplicate_reference' });
    expect(await provider.made(reference)).toBe(promises.referenceKept ? 1 : 2);
  });

  it('the same key and reference with other bytes change nothing, and are doubt', async () => {
    const { provider, port } = open();
    const payment = provider.payment();
    const { reference } = payment.meaning;
    await send(port, payment);
    const other = provider.payment({ reference, amount: '2.5' });
    expect(await send(port, other)).toMatchObject({ kind: 'in_doubt' });
    expect(await provider.made(reference)).toBe(1);
    await vi.waitUntil(async () => (await found(reference)).length === 1, PATIENCE);
    expect((await found(reference)).map(({ amount }) => amount)).toEqual([payment.meaning.amount]);
  });

  it('a not-after that is honoured leaves no trace once it has passed', async () => {
    const { provider, port, promises } = open();
    const late = provider.payment({ notAfter: new Date(Date.now() - 60_000) });
    const outcome = await send(port, late);
    if (!promises.notAfterHonoured) {
      expect(outcome.kind).toBe('accepted');
      return;
    }
    expect(outcome).toMatchObject({ kind: 'in_doubt', reason: 'expired' });
    expect(await provider.made(late.meaning.reference)).toBe(0);
    expect(await found(late.meaning.reference)).toEqual([]);
  });

  it('past the key window the same bytes make nothing more: by the reference, or by the not-after', async () => {
    const { provider, port, promises } = open();
    const payment = provider.payment();
    await send(port, payment);
    try {
      await provider.setClock(promises.keyWindowMs + 60_000);
      expect((await send(port, payment)).kind).toBe('in_doubt');
      expect(await provider.made(payment.meaning.reference)).toBe(1);
    } finally {
      await provider.setClock(0);
    }
  });

  it('a refusal is shown by the look-up where refusals are kept, and nowhere else', async () => {
    const { provider, port, promises } = open();
    const { meaning } = provider.unpayable();
    const outcome = await send(port, provider.unpayable(meaning.reference));
    expect(outcome.kind).toBe('refused');
    if (promises.refusalsKept) {
      await vi.waitUntil(async () => (await found(meaning.reference)).length === 1, PATIENCE);
      expect((await found(meaning.reference))[0]).toMatchObject({ final: true, status: 'refused' });
    } else {
      expect(await found(meaning.reference)).toEqual([]);
    }
  });

  it('where the duplicate check does not come first, a refusal may answer a transfer that exists', async () => {
    const { provider, port, promises } = open();
    const payment = provider.payment();
    const { reference } = payment.meaning;
    await send(port, payment);
    const outcome = await send(port, provider.unpayable(reference), crypto.randomUUID());
    if (promises.referenceKept) expect(outcome.kind).toBe(promises.duplicateCheckFirst ? 'in_doubt' : 'refused');
    // Whatever was answered, the first transfer stands: this is why a refusal is final only beside a look-up.
    expect(await provider.made(reference)).toBe(1);
  });

  describe('a look-up', () => {
    it('finds by the exact reference and by nothing like it', async () => {
      const { provider, port, promises } = open();
      const payment = provider.payment();
      const { reference } = payment.meaning;
      await send(port, payment);
      await vi.waitUntil(async () => (await found(reference)).length === 1, PATIENCE);
      expect(await found(reference.slice(0, -1))).toEqual([]);
      expect(await found(`${reference}0`)).toEqual([]);
      if (!promises.searchableByReference) expect((await port.findByReference(reference)).kind).toBe('failed');
    });

    it('that finds nothing says by custody’s own clock when', async () => {
      const { provider } = open();
      const hour = 3_600_000;
      try {
        await provider.setClock(hour);
        const answer = await lookUp(open(), crypto.randomUUID());
        expect(answer.kind).toBe('not_found');
        expect(Math.abs((answer.custodyClockMs ?? 0) - Date.now() - hour)).toBeLessThan(30_000);
      } finally {
        await provider.setClock(0);
      }
    });

    it('that fails or takes too long is neither found nor not found', async () => {
      const { provider, hasty, promises } = open();
      if (!promises.searchableByReference) return;
      for (const trouble of [{ kind: 'lookup_error' }, { kind: 'lookup_slow', delayMs: deadlines.pastMs }] as const) {
        const { meaning } = provider.payment();
        await provider.strike(trouble, meaning.reference);
        expect((await hasty.findByReference(meaning.reference)).kind, trouble.kind).toBe('failed');
      }
    });
  });

  it('balances are decimal texts, one a pair, and ours is among them', async () => {
    const { provider, port } = open();
    const { meaning } = provider.payment();
    const balances = await port.balances();
    for (const { available } of balances ?? []) expect(available).toMatch(/^[0-9]+(\.[0-9]+)?$/);
    const pairs = (balances ?? []).map(({ asset, network }) => `${asset} ${network}`);
    expect(pairs).toContain(`${meaning.asset} ${meaning.network}`);
    expect(new Set(pairs).size).toBe(pairs.length);
  });
}
