import { z } from 'zod';

/** What a provider promises about its own behaviour; GET /v1/capabilities tells it to clients. */
const rules = z.object({
  /** A second transfer under an external id is refused, for ever. */
  referenceKept: z.boolean(),
  searchableByReference: z.boolean(),
  notAfterHonoured: z.boolean(),
  /** A refusal made after the reference was taken is kept under it and shown by the look-up. */
  refusalsKept: z.boolean(),
  duplicateCheckFirst: z.boolean(),
  /** No proxy of ours ever repeats a request. */
  requestsNeverRepeated: z.boolean(),
  keyWindowSeconds: z.number().int().positive(),
  /** The window counts from the last use of a key, not from the first. */
  keyWindowSlides: z.boolean(),
  /** A known key is answered with the first answer; otherwise keys are ignored and only the reference counts. */
  replaysKeys: z.boolean(),
  /** After an internal error the key answers that error for the rest of its life. */
  burnsKeyAfterError: z.boolean(),
  duplicateStatus: z.union([z.literal(400), z.literal(409)]),
  /** Look-ups and lists show transfers only when they are older than this. */
  readLagMs: z.number().int().nonnegative(),
});

export type ProfileRules = z.infer<typeof rules>;
export const profileOverrides = rules.partial().strict();
export type ProfileOverrides = z.infer<typeof profileOverrides>;

export const profileNames = [
  'replays',
  'refuses_duplicate_400',
  'forgets_keys',
  'burns_key_after_error',
  'no_permanent_reference',
  'no_lookup_by_reference',
  'lookup_lags',
  'validates_first',
  'drops_refusals',
] as const;
export type ProfileName = (typeof profileNames)[number];

const plain: Omit<ProfileRules, 'keyWindowSeconds'> = {
  referenceKept: true,
  searchableByReference: true,
  notAfterHonoured: true,
  refusalsKept: true,
  duplicateCheckFirst: true,
  requestsNeverRepeated: false,
  keyWindowSlides: false,
  replaysKeys: true,
  burnsKeyAfterError: false,
  duplicateStatus: 409,
  readLagMs: 0,
};

const differences: Record<ProfileName, Partial<ProfileRules>> = {
  // Each replay renews the key, so a client that keeps asking keeps being answered.
  replays: { keyWindowSlides: true },
  // The old school: one permanent reference, no keys, and no idea of a not-after.
  refuses_duplicate_400: { replaysKeys: false, duplicateStatus: 400, notAfterHonoured: false },
  forgets_keys: { keyWindowSlides: false },
  burns_key_after_error: { burnsKeyAfterError: true },
  no_permanent_reference: { referenceKept: false },
  no_lookup_by_reference: { searchableByReference: false },
  lookup_lags: { readLagMs: 2_000 },
  validates_first: { duplicateCheckFirst: false },
  drops_refusals: { refusalsKept: false },
};

/** The rules in force: those of the profile, then what was overridden for a test. */
export function profileRules(name: ProfileName, keyWindowSeconds: number, overrides: ProfileOverrides): ProfileRules {
  return rules.parse({ ...plain, keyWindowSeconds, ...differences[name], ...overrides });
}
