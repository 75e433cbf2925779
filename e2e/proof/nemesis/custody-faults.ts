import type { SeededRandom } from '../seeded-random.ts';

interface CustodyFault {
  readonly kind: string;
  readonly settings?: (random: SeededRandom) => Readonly<Record<string, unknown>>;
}

const delay = (min: number, max: number) => (random: SeededRandom) => ({ delayMs: random.int(min, max) });
const gateway = (random: SeededRandom) => ({ status: random.pick([500, 502, 504]) });

/**
 * Every fault of custody's that may strike at any time, with what makes it bite at the proof's times. What it forgets, and what strikes
 * networks that we do not read, is played as written (`acts`).
 */
export const CUSTODY_FAULTS: readonly CustodyFault[] = [
  { kind: 'refuse_connection', settings: (random) => ({ forMs: random.int(200, 1_500) }) },
  { kind: 'close_before_reading' },
  { kind: 'edge_repeats', settings: (random) => ({ delayMs: random.pick([50, 800, 4_000]), times: random.int(1, 3) }) },
  { kind: 'slow', settings: delay(800, 2_500) },
  { kind: 'execute_then_drop' },
  { kind: 'execute_late', settings: delay(200, 900) },
  { kind: 'body_stalls' },
  { kind: 'error_before', settings: gateway },
  { kind: 'error_after', settings: gateway },
  { kind: 'html_200' },
  { kind: 'truncated_json' },
  { kind: 'rate_limit' },
  { kind: 'unauthorized' },
  { kind: 'forbidden' },
  { kind: 'refuse_503' },
  { kind: 'reject' },
  { kind: 'insufficient_funds' },
  { kind: 'odd_echo' },
  { kind: 'lookup_lag', settings: delay(500, 2_000) },
  { kind: 'lookup_404' },
  { kind: 'lookup_error' },
  { kind: 'lookup_slow', settings: delay(300, 2_000) },
  { kind: 'webhook_lost' },
  { kind: 'webhook_doubled' },
  { kind: 'webhook_late', settings: delay(500, 4_000) },
  { kind: 'webhook_reordered' },
  { kind: 'webhook_forged' },
  { kind: 'webhook_altered' },
  { kind: 'webhook_before_answer' },
  { kind: 'fail_after_accept' },
  { kind: 'contradict_failed' },
  { kind: 'revert_on_chain' },
  { kind: 'stuck', settings: delay(1_000, 4_000) },
];

/** The fault as custody takes it: for a few requests, and gone after a while whether it struck or not. */
export function orderOf(fault: CustodyFault, random: SeededRandom): { kind: string } & Record<string, unknown> {
  const count = random.int(1, 3);
  return { kind: fault.kind, count, seed: random.int(1, 1_000_000), forMs: 8_000, ...fault.settings?.(random) };
}
