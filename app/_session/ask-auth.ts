import { readReferenceOf } from '../_trpc/read-api-error.ts';
import { callAuth } from './call-auth.ts';

/** What the accounts door said, and the id under which it wrote that down; null where nothing was said. */
export type AuthAnswer = { kind: 'done' | 'refused' | 'too_often' | 'unreachable'; reference: string | null };

/** Asks the accounts door for one deed, `sign-up/email` and the like. A GET is asked for with a null body. */
export async function askAuth(path: string, body: object | null): Promise<AuthAnswer> {
  const response = await callAuth(path, body);
  if (response === null) return { kind: 'unreachable', reference: null };
  const reference = readReferenceOf(response.headers);
  if (response.ok) return { kind: 'done', reference };
  if (response.status === 429) return { kind: 'too_often', reference };
  return { kind: response.status >= 400 && response.status < 500 ? 'refused' : 'unreachable', reference };
}
