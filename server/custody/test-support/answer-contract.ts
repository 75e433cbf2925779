import { expect, it, vi } from 'vitest';
import type { CustodyCapabilities } from '#domain/custody-capabilities.ts';
import { type CustodyOutcome, sortAnswer } from '#domain/custody-outcome.ts';
import type { CustodyLookUp, CustodyPort } from '#server/custody/custody-port.ts';
import type { Payment, ProviderUnderContract, Trouble } from '#server/custody/test-support/provider-under-contract.ts';

// Longer than any honest answer on a busy machine, short enough that silence costs little.
const DEADLINE_MS = 1_200;
const SILENCE_MS = 350;
const PAST_DEADLINE_MS = SILENCE_MS + 400;
/** For what the provider does behind its answer. */
export const PATIENCE = { timeout: 5_000, interval: 20 };
const SPAN_MS = 3_600_000;

export interface Opened {
  readonly provider: ProviderUnderContract;
  readonly port: CustodyPort;
  /** The same adapter with little patience. */
  readonly hasty: CustodyPort;
  readonly promises: CustodyCapabilities;
}

export const deadlines = { patientMs: DEADLINE_MS, hastyMs: SILENCE_MS, pastMs: PAST_DEADLINE_MS };

/** Sends a payment's bytes once and sorts what came of it. */
export async function send(port: CustodyPort, { meaning, expected }: Payment, key = meaning.reference) {
  const { body } = port.writeRequest(meaning);
  return sortAnswer(await port.createTransfer({ key, body }), expected, port.answerContract);
}

/** As the resolver asks: by reference where that can be asked, and by a walk over the whole span where not. */
export function lookUp({ port, promises }: Opened, reference: string): Promise<CustodyLookUp> {
  if (promises.searchableByReference) return port.findByReference(reference);
  const now = Date.now();
  return port
    .walkTransfers({ fromMs: now - SPAN_MS, toMs: now + SPAN_MS })
    .then((walk) => (walk.kind === 'found' ? keepOurs(walk, reference) : walk));
}

function keepOurs(walk: Extract<CustodyLookUp, { kind: 'found' }>, reference: string): CustodyLookUp {
  const transfers = walk.transfers.filter((transfer) => transfer.externalId === reference);
  if (transfers.length === 0) return { kind: 'not_found', custodyClockMs: walk.custodyClockMs };
  return { ...walk, transfers };
}

interface Case {
  readonly trouble: Trouble;
  readonly made: 0 | 1;
}

const DOUBTS: readonly Case[] = [
  { trouble: { kind: 'close_before_reading' }, made: 0 },
  { trouble: { kind: 'execute_then_drop' }, made: 1 },
  { trouble: { kind: 'slow', delayMs: PAST_DEADLINE_MS }, made: 1 },
  { trouble: { kind: 'execute_late', delayMs: PAST_DEADLINE_MS }, made: 1 },
  { trouble: { kind: 'body_stalls' }, made: 1 },
  { trouble: { kind: 'html_200' }, made: 1 },
  { trouble: { kind: 'truncated_json' }, made: 1 },
  { trouble: { kind: 'odd_echo' }, made: 1 },
  ...([500, 502, 504] as const).flatMap((status): Case[] => [
    { trouble: { kind: 'error_before', status }, made: 0 },
    { trouble: { kind: 'error_after', status }, made: 1 },
  ]),
];

const LATER: readonly { trouble: Trouble; scope: 'everything' | 'asset' }[] = [
  { trouble: { kind: 'rate_limit' }, scope: 'everything' },
  { trouble: { kind: 'unauthorized' }, scope: 'everything' },
  { trouble: { kind: 'forbidden' }, scope: 'everything' },
  { trouble: { kind: 'refuse_503' }, scope: 'everything' },
  { trouble: { kind: 'insufficient_funds' }, scope: 'asset' },
];

/** What an adapter must make of the answers to a send, and of their absence. */
export function promiseAnswers(open: () => Opened): void {
  it('an accepted answer is ours, word for word, and the transfer is there once', async () => {
    const { provider, port } = open();
    const payment = provider.payment();
    const outcome = await send(port, payment);
    expect(outcome).toMatchObject({ kind: 'accepted', replayed: false });
    expect(await provider.made(payment.meaning.reference)).toBe(1);
    await vi.waitUntil(async () => (await lookUp(open(), payment.meaning.reference)).kind === 'found', PATIENCE);
  });

  it('the same bytes again make nothing more, and their answer is the same transfer or doubt', async () => {
    const { provider, port } = open();
    const payment = provider.payment();
    const first = await send(port, payment);
    const again = await Promise.all([send(port, payment), send(port, payment), send(port, payment)]);
    for (const outcome of again) expectSameOrDoubt(first, outcome);
    expect(await provider.made(payment.meaning.reference)).toBe(1);
  });

  it('many copies at the same moment make one transfer', async () => {
    const { provider, port } = open();
    const payment = provider.payment();
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => send(port, payment)));
    expect(outcomes.map(({ kind }) => kind)).toContain('accepted');
    for (const { kind } of outcomes) expect(['accepted', 'in_doubt']).toContain(kind);
    expect(await provider.made(payment.meaning.reference)).toBe(1);
  });

  it('silence, a broken answer and every error are doubt; one request a send; and the look-up tells what was made', async () => {
    const { provider, port, hasty } = open();
    await Promise.all(
      DOUBTS.map(async ({ trouble, made }) => {
        const name = JSON.stringify(trouble);
        const payment = provider.payment();
        const { reference } = payment.meaning;
        await provider.strike(trouble, reference);
        const isSilent = 'delayMs' in trouble || trouble.kind === 'body_stalls';
        expect((await send(isSilent ? hasty : port, payment)).kind, name).toBe('in_doubt');
        await vi.waitUntil(async () => (await provider.made(reference)) === made, PATIENCE);
        expect(await provider.seen(reference), name).toBeLessThanOrEqual(1);
        if (made === 1) await vi.waitUntil(async () => (await lookUp(open(), reference)).kind === 'found', PATIENCE);
        else expect((await lookUp(open(), reference)).kind, name).toBe('not_found');
      }),
    );
  });

  it('a promise that nothing was made is "later", for whom it concerns, and nothing was made', async () => {
    const { provider, port } = open();
    for (const { trouble, scope } of LATER) {
      const payment = provider.payment();
      await provider.strike(trouble, payment.meaning.reference);
      const outcome = await send(port, payment);
      expect(outcome, trouble.kind).toMatchObject({ kind: 'later', scope });
      expect(await provider.made(payment.meaning.reference), trouble.kind).toBe(0);
      expect((await send(port, payment)).kind, `after ${trouble.kind}`).toBe('accepted');
    }
  });

  it('behind an edge that repeats requests even "later" proves nothing, and such a provider may not promise otherwise', async () => {
    const { provider, port, promises } = open();
    if (promises.requestsNeverRepeated) return;
    const payment = provider.payment();
    const { reference } = payment.meaning;
    await provider.strike({ kind: 'edge_repeats', delayMs: 50 }, reference);
    await provider.strike({ kind: 'rate_limit' }, reference);
    expect((await send(port, payment)).kind).toBe('later');
    // The copy is executed after we were told to come back: this is why the attempt stays in doubt. (put_off)
    await vi.waitUntil(async () => (await provider.made(reference)) === 1, PATIENCE);
    await send(port, payment);
    expect(await provider.made(reference)).toBe(1);
  });

  it('nobody at the other end is "not sent", and only that is', async () => {
    const { provider } = open();
    const nowhere = provider.connect({ url: 'http://127.0.0.1:9', timeoutMs: DEADLINE_MS });
    const payment = provider.payment();
    expect(await send(nowhere, payment)).toMatchObject({ kind: 'not_sent' });
    expect(await nowhere.findByReference(payment.meaning.reference)).toMatchObject({ kind: 'failed' });
    expect(await nowhere.capabilities()).toBeNull();
    expect(await nowhere.balances()).toBeNull();
    nowhere.close();
  });

  it('a reason on the list, echoing our reference, is a refusal; any other reason is doubt', async () => {
    const { provider, port } = open();
    const unpayable = provider.unpayable();
    expect(await send(port, unpayable)).toMatchObject({ kind: 'refused' });
    expect(await provider.made(unpayable.meaning.reference)).toBe(0);
    const odd = provider.payment();
    await provider.strike({ kind: 'reject', code: 'we_would_rather_not' }, odd.meaning.reference);
    expect(await send(port, odd)).toMatchObject({ kind: 'in_doubt', reason: 'unlisted_answer' });
  });
}

function expectSameOrDoubt(first: CustodyOutcome, outcome: CustodyOutcome): void {
  if (outcome.kind !== 'accepted') {
    expect(outcome.kind).toBe('in_doubt');
    return;
  }
  expect(outcome.replayed).toBe(true);
  expect(outcome.transfer.id).toBe(first.kind === 'accepted' ? first.transfer.id : null);
}
