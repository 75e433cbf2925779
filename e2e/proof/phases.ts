/** One stretch of a run under one kind of provider. */
export interface Phase {
  readonly profile: string;
  /** Of all withdrawals. */
  readonly share: number;
  /** What may wait for people at the end, of the phase's withdrawals, rounded up. None where a permanent reference is kept and answers. */
  readonly review: { readonly shareMax: number; readonly reasons: readonly string[] };
}

const NO_REVIEW: Phase['review'] = { shareMax: 0, reasons: [] };

/** Most of a run meets the provider that most resembles real ones; the others are visited one by one. */
export const PHASES: readonly Phase[] = [
  { profile: 'replays', share: 0.6, review: NO_REVIEW },
  { profile: 'refuses_duplicate_400', share: 0.05, review: NO_REVIEW },
  { profile: 'forgets_keys', share: 0.05, review: NO_REVIEW },
  // After an internal error custody never takes the key again: such a row ends by two people's proof of absence.
  { profile: 'burns_key_after_error', share: 0.05, review: NO_REVIEW },
  {
    profile: 'no_permanent_reference',
    share: 0.05,
    review: { shareMax: 0.05, reasons: ['attempts_exhausted', 'no_safe_resend', 'refusal_without_proof'] },
  },
  { profile: 'no_lookup_by_reference', share: 0.05, review: NO_REVIEW },
  { profile: 'lookup_lags', share: 0.05, review: NO_REVIEW },
  { profile: 'validates_first', share: 0.05, review: NO_REVIEW },
  { profile: 'drops_refusals', share: 0.05, review: NO_REVIEW },
];

/** How many of a run's withdrawals fall into each phase; they add up. */
export function divideWithdrawals(withdrawals: number): readonly number[] {
  const counts = PHASES.map(({ share }) => Math.floor(withdrawals * share));
  const rest = withdrawals - counts.reduce((sum, count) => sum + count, 0);
  return counts.map((count, index) => (index === 0 ? count + rest : count));
}
