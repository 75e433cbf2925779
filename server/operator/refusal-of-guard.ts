import { type Refusal, refuse } from '#domain/refusal.ts';
import { DatabaseError } from '#server/db/database-error.ts';

/** In words for the operator, by the name of the guard that said no. */
const WORDS: Readonly<Record<string, string>> = {
  withdrawal_resolutions_of_this_evidence: 'A newer look-up or fact has come in. Look at it before you decide.',
  withdrawal_resolutions_of_a_parked_doubt: 'It is not parked for review: the machine still decides by its own rule.',
  withdrawal_resolutions_release_needs_proof:
    'Nothing proves that it was not paid. Funds are released only on proof of absence or on custody’s signed statement, whatever the age.',
  chain_resumptions_of_this_halt: 'The network is halted no more, or it was halted anew. Look at it before you decide.',
  chain_resumptions_skip_nothing: 'That block is above the last one that was read: what is passed over is never read.',
  chain_resumptions_from_common_ground:
    'The node has another block at this height than we keep. Choose one further down, on which both agree.',
  chain_resumptions_while_fresh: 'The proposal is older than an hour. Propose it again by what the node says now.',
};

const TWO_PEOPLE = ['withdrawal_resolutions_two_people', 'chain_resumptions_two_people'];
const BY_STAFF = ['withdrawal_resolutions_by_staff', 'chain_resumptions_by_staff'];

/** Turns the database's no into an answer. @throws what it was given when no guard of a resolution or of a resumption said it */
export function refusalOfGuard(error: unknown): Refusal {
  if (!(error instanceof DatabaseError) || error.constraint === null) throw error;
  const name = error.constraint;
  if (TWO_PEOPLE.includes(name)) return refuse('second_person_needed');
  if (BY_STAFF.includes(name)) return refuse('forbidden');
  const detail = WORDS[name];
  if (detail === undefined) throw error;
  return refuse('changed_meanwhile', { detail });
}
