import type { CustodyCapabilities } from '#domain/custody-capabilities.ts';
import type { Control, FoundTransfer, LookUp, SendAttempt } from '#domain/custody-evidence.ts';
import type { ExpectedTransfer } from '#domain/custody-transfer.ts';
import type { InDoubtEvidence } from '#domain/resend-rule.ts';

// One attempt at second 1000 with a not-after at 1120; a provider whose requests live 20 s and whose reads lag 5 s.
export const SENT_AT_MS = 1_000_000;
export const NOT_AFTER_MS = 1_120_000;
export const SITE = { provider: 'custody', account: 'main' };

export const EXPECTED: ExpectedTransfer = {
  reference: '0193b5a0-7d3f-7c1e-9a51-3d8f1b2c4e6f',
  asset: 'USDC',
  network: 'ethereum',
  address: '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed',
  memo: null,
  amountMinor: 12_500_000n,
  decimals: 6,
};

export const CAPABILITIES: CustodyCapabilities = {
  referenceKept: true,
  searchableByReference: true,
  notAfterHonoured: true,
  refusalsKept: true,
  duplicateCheckFirst: true,
  requestsNeverRepeated: false,
  keyWindowMs: 86_400_000,
  readLagMs: 5_000,
  maxRequestMs: 20_000,
};

export const FOUND: FoundTransfer = {
  id: 'tr_1',
  externalId: EXPECTED.reference,
  asset: 'USDC',
  network: 'ethereum',
  address: EXPECTED.address,
  memo: null,
  amount: '12.5',
  status: 'broadcast',
  final: false,
  failureCode: null,
};

export function attempt(change: Partial<SendAttempt> = {}): SendAttempt {
  return {
    ...SITE,
    number: 1,
    startedAtMs: SENT_AT_MS,
    notAfterMs: NOT_AFTER_MS,
    outcome: null,
    reason: null,
    provedAbsent: false,
    ...change,
  };
}

/** A look-up that found nothing, begun at this time by both clocks. */
export function notFoundAt(atMs: number, change: Partial<LookUp> = {}): LookUp {
  const method = { kind: 'by_reference' } as const;
  return { ...SITE, answer: { kind: 'not_found' }, begunAtMs: atMs, custodyClockMs: atMs, method, ...change };
}

/** A control that custody accepted before the attempt and that was found just before the look-up. */
export function controlAt(atMs: number): Control {
  return { ...SITE, kind: 'found', reference: 'older', acceptedAtMs: SENT_AT_MS - 60_000, foundAtMs: atMs - 100 };
}

/** A withdrawal whose only attempt was never answered, looked up at this time and not found. */
export function evidenceAt(atMs: number, change: Partial<InDoubtEvidence> = {}): InDoubtEvidence {
  return {
    expected: EXPECTED,
    attempts: [attempt()],
    lookUp: notFoundAt(atMs),
    control: controlAt(atMs),
    capabilities: CAPABILITIES,
    positiveEvidence: [],
    attemptsMax: 5,
    parked: false,
    lookUpOnly: false,
    ...change,
  };
}
