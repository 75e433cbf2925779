import { type Refusal, refuse } from '#domain/refusal.ts';
import { DatabaseError } from '#server/db/database-error.ts';

/** In words for the operator, by the name of the guard that said no. */
const WORDS: Readonly<Record<string, string>> = {
  withdrawal_resolutions_of_this_evidence: 'A newer look-up or fact has come in. Look at it before you decide.',
  withdrawal_resolutions_of_a_parked_doubt: 'It is not parked for review: the machine still decides by its own rule.',
  withdrawal_resolutions_release_needs_proof:
    'Nothing proves that it was not paid. Funds are released only on proof of absence or on custody’s signed statement, whatever the age.',
};

/** Turns the database's no into an answer. @throws what it was given when no guard of a resolution said it */
export function refusalOfGuard(error: unknown): Refusal {
  if (!(error instanceof DatabaseError) || error.constraint === null) throw error;
  const name = error.constraint;
  if (name === 'withdrawal_resolutions_two_people') return refuse('second_person_needed');
  if (name === 'withdrawal_resolutions_by_staff') return refuse('forbidden');
  const detail = WORDS[name];
  if (detail === undefined) throw error;
  return refuse('changed_meanwhile', { detail });
}
