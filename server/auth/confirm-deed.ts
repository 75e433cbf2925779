import { type Refusal, refuse } from '#domain/refusal.ts';
import { checkStepUp, type Site } from '#server/auth/check-step-up.ts';
import type { StepUp } from '#server/auth/step-up-schema.ts';
import type { Db, Statement } from '#server/db/database.ts';

/** Changes of terms: the subject is the new values as JSON. */
export const CHANGES_OF_TERMS = ['set_tier', 'set_customer_tier', 'set_pair', 'set_asset', 'set_network'] as const;

/** What moves money, or lets it move again. The database knows the same list (`deed_confirmations_deed`). */
export const DANGEROUS_DEEDS = [
  'approve',
  'resolve',
  'resume',
  'adjust',
  'end_look_up_only',
  'close_case',
  'lift_freeze',
  ...CHANGES_OF_TERMS,
  'set_price',
  'take_up_network',
] as const;

/**
 * A deed and the row that it is about: a withdrawal, a resolution, a pause, an adjustment, a spell of look-up only, a case, a
 * customer, a proposal of a price or to take a network up again. A change of terms is about the row as it was and as it will be: its subject is the new values as JSON.
 */
export interface DeedSubject {
  readonly deed: (typeof DANGEROUS_DEEDS)[number];
  readonly subject: string;
}

/** Spends what a person brought, in the transaction that does the deed, as its last question. Null: it is confirmed. */
export type ConfirmDeed = (tx: Db, about: DeedSubject) => Promise<Refusal | null>;

/**
 * How this person confirms: by a code or a signature that was verified against exactly what the deed does now. A deed without
 * one is refused by the database as well (`*_confirmed`).
 *
 * @param input.stepUp null where nothing came: every deed is then refused
 */
export function confirmWith(site: Site, input: { userId: string; stepUp: StepUp | null }): ConfirmDeed {
  return async (tx, about) => {
    const { userId, stepUp } = input;
    if (stepUp === null) return refuse('step_up_required');
    const fingerprint = await findDeedFingerprint({ db: tx }, about);
    if (fingerprint === null) return refuse('not_found');
    const checked = await checkStepUp({ db: tx, site }, { userId, stepUp, fingerprint });
    if (checked.kind === 'refused') return checked.refusal;
    const { proof } = checked;
    const [row] = await tx.query<{ spent: boolean }>(confirmDeedSql, [
      userId,
      about.deed,
      about.subject,
      fingerprint,
      proof.kind === 'totp' ? proof.step : null,
      proof.kind === 'passkey' ? proof.challengeId : null,
    ]);
    return row?.spent === true ? null : refuse('step_up_wrong');
  };
}

/** What the deed would do now, as a hash; null where there is no such row. */
export async function findDeedFingerprint(deps: { db: Db }, about: DeedSubject): Promise<string | null> {
  const values = [about.deed, about.subject];
  const [row] = await deps.db.query<{ fingerprint: string | null }>(findFingerprintSql, values);
  return row?.fingerprint ?? null;
}

const findFingerprintSql: Statement = {
  name: 'find_deed_fingerprint',
  text: 'select deed_fingerprint($1, $2) as fingerprint',
};

const confirmDeedSql: Statement = {
  name: 'confirm_deed',
  text: 'select confirm_deed($1, $2, $3, $4, $5, $6) as spent',
};
