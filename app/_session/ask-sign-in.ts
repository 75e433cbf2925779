import type { SecondFactorAnswer, SecondFactorQuestion } from '#domain/second-factor.ts';
import { readReferenceOf } from '../_trpc/read-api-error.ts';
import { callAuth } from './call-auth.ts';

export type SignInAnswer = { kind: 'done' } | { kind: 'second_factor'; question: SecondFactorQuestion } | Trouble;

/** With the id under which the server wrote it down; null where nobody answered. */
type Trouble =
  | { kind: 'refused'; code: string; detail: string | null; reference: string | null }
  | { kind: 'too_often'; reference: string | null }
  | { kind: 'unreachable'; reference: string | null };

/** Asks to be signed in by a password; whoever has a second factor is asked for it. Both can be repeated without harm. */
export function askSignIn(credentials: { email: string; password: string }): Promise<SignInAnswer> {
  return ask('email', credentials);
}

/** Answers the question that a right password brought. */
export function answerSecondFactor(challengeId: string, answer: SecondFactorAnswer): Promise<SignInAnswer> {
  return ask('second-factor', { challengeId, answer });
}

/** Asks for the mail that begins a reset of second factors. */
export async function askFactorReset(challengeId: string): Promise<'sent' | 'waits_already' | Trouble> {
  const answer = await callAuth('sign-in/lost-second-factor', { challengeId });
  if (answer?.ok !== true) return readTrouble(answer);
  const { outcome }: { outcome: 'sent' | 'waits_already' } = await answer.json();
  return outcome;
}

async function ask(path: string, body: object): Promise<SignInAnswer> {
  return read(await callAuth(`sign-in/${path}`, body));
}

async function read(response: Response | null): Promise<SignInAnswer> {
  if (response?.ok !== true) return readTrouble(response);
  const body = await readBody(response);
  // A gateway's page in place of an answer signs nobody in.
  if (body === null) return { kind: 'unreachable', reference: readReferenceOf(response.headers) };
  return body.secondFactor === undefined ? { kind: 'done' } : { kind: 'second_factor', question: body.secondFactor };
}

async function readTrouble(response: Response | null): Promise<Trouble> {
  if (response === null) return { kind: 'unreachable', reference: null };
  const reference = readReferenceOf(response.headers);
  if (response.status >= 500) return { kind: 'unreachable', reference };
  const body = await readBody(response);
  // Our own refusals have a detail, the limit of the door has none.
  if (response.status === 429 && body?.detail === undefined) return { kind: 'too_often', reference };
  return { kind: 'refused', code: body?.code ?? '', detail: body?.detail ?? null, reference };
}

function readBody(response: Response): Promise<AnswerBody | null> {
  return response.json().catch(() => null);
}

interface AnswerBody {
  readonly secondFactor?: SecondFactorQuestion;
  readonly code?: string;
  readonly detail?: string | null;
}
