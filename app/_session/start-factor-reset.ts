import { readReferenceOf } from '../_trpc/read-api-error.ts';
import { callAuth } from './call-auth.ts';

export type FactorResetAnswer =
  | { kind: 'waits'; dueAt: string }
  | { kind: 'refused' }
  | { kind: 'unreachable'; reference: string | null };

/** Begins the wait of a reset of second factors by the token of a mail. Repeated, it says the same time. */
export async function startFactorReset(token: string): Promise<FactorResetAnswer> {
  const response = await callAuth('second-factor-reset/start', { token });
  if (response?.status === 403) return { kind: 'refused' };
  const body: { dueAt: string } | null = response?.ok === true ? await response.json().catch(() => null) : null;
  if (body !== null) return { kind: 'waits', dueAt: body.dueAt };
  return { kind: 'unreachable', reference: response === null ? null : readReferenceOf(response.headers) };
}
