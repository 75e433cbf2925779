/** One stretch of a run under one kind of provider. */
export interface Phase {
  readonly profile: string;
  /** Of all withdrawals. */
  readonly share: number;
  /** Of the phase's withdrawals, rounded up, that may wait for people at the end. None where a permanent reference is kept. */
  readonly reviewShareMax: number;
}

/** Most of a run meets the provider that most resembles real ones; the others are visited one by one. */
export const PHASES: readonly Phase[] = [
  { profile: 'replays', share: 0.6, reviewShareMax: 0 },
  { profile: 'refuses_duplicate_400', share: 0.05, reviewShareMax: 0 },
  { profile: 'forgets_keys', share: 0.05, reviewShareMax: 0 },
  { profile: 'burns_key_after_error', share: 0.05, reviewShareMax: 0 },
  { profile: 'no_permanent_reference', share: 0.05, reviewShareMax: 0.05 },
  { profile: 'no_lookup_by_reference', share: 0.05, reviewShareMax: 0 },
  { profile: 'lookup_lags', share: 0.05, reviewShareMax: 0 },
  { profile: 'validates_first', share: 0.05, reviewShareMax: 0 },
  { profile: 'drops_refusals', share: 0.05, reviewShareMax: 0 },
];

/** How many of a run's withdrawals fall into each phase; they add up. */
export function divideWithdrawals(withdrawals: number): readonly number[] {
  const counts = PHASES.map(({ share }) => Math.floor(withdrawals * share));
  const rest = withdrawals - counts.reduce((sum, count) => sum + count, 0);
  return counts.map((count, index) => (index === 0 ? count + rest : count));
}
