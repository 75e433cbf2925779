import { isRefusalCode, REFUSALS } from '#domain/refusal.ts';
import type { ApiError } from '../../../_trpc/read-api-error.ts';

/**
 * What an answer does to the key it was given for.
 * - `kept`: the refusal is stored under the key; every copy of the request gets the same answer.
 * - `not_kept`: nothing is stored; another copy that is still on its way may yet be accepted.
 * - `withheld`: the request was not looked at (sign-in, rate, step-up); the same key goes on once that is settled.
 * - `unknown`: it may or may not have arrived.
 */
export type RefusalEffect = 'kept' | 'not_kept' | 'withheld' | 'unknown';

/** Sorts an error of `withdrawal.request` by what it does to the key. Whatever we do not know for sure is `unknown`. */
export function refusalEffect(error: ApiError): RefusalEffect {
  if (error.kind === 'silent') return 'unknown';
  // The one 5xx that states what happened: nothing was reserved. Any other may come after the commit.
  if (error.refusal.code === 'service_unavailable') return 'withheld';
  if (error.httpStatus >= 500 || error.httpStatus === 408) return 'unknown';
  if (isRefusalCode(error.refusal.code) && REFUSALS[error.refusal.code].stored) return 'kept';
  if (error.httpStatus === 401 || error.httpStatus === 403 || error.httpStatus === 429) return 'withheld';
  return 'not_kept';
}
