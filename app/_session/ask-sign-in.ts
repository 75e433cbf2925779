import type { SecondFactorAnswer, SecondFactorQuestion } from '#domain/second-factor.ts';

const DEADLINE_MS = 12_000; // A password check is slow on purpose; longer than this nobody answers.

export type SignInAnswer =
  | { kind: 'done' }
  | { kind: 'second_factor'; question: SecondFactorQuestion }
  | { kind: 'refused'; code: string; detail: string | null }
  | { kind: 'too_often' }
  | { kind: 'unreachable' };

/** Asks to be signed in by a password; whoever has a second factor is asked for it. Both can be repeated without harm. */
export function askSignIn(credentials: { email: string; password: string }): Promise<SignInAnswer> {
  return ask('email', credentials);
}

/** Answers the question that a right password brought. */
export function answerSecondFactor(challengeId: string, answer: SecondFactorAnswer): Promise<SignInAnswer> {
  return ask('second-factor', { challengeId, answer });
}

/** Asks for the mail that begins a reset of second factors. */
export async function askFactorReset(challengeId: string): Promise<'sent' | 'waits_already' | SignInAnswer> {
  const answer = await post('lost-second-factor', { challengeId });
  if (answer?.ok !== true) return read(answer);
  const { outcome }: { outcome: 'sent' | 'waits_already' } = await answer.json();
  return outcome;
}

async function ask(path: string, body: object): Promise<SignInAnswer> {
  return read(await post(path, body));
}

async function post(path: string, body: object): Promise<Response | null> {
  try {
    return await fetch(`/api/auth/sign-in/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(DEADLINE_MS),
    });
  } catch {
    return null;
  }
}

async function read(response: Response | null): Promise<SignInAnswer> {
  if (response === null || response.status >= 500) return { kind: 'unreachable' };
  const body: AnswerBody | null = await response.json().catch(() => null);
  if (response.ok) {
    // A gateway's page in place of an answer signs nobody in.
    if (body === null) return { kind: 'unreachable' };
    return body.secondFactor === undefined ? { kind: 'done' } : { kind: 'second_factor', question: body.secondFactor };
  }
  // Our own refusals have a detail, the limit of the door has none.
  if (response.status === 429 && body?.detail === undefined) return { kind: 'too_often' };
  return { kind: 'refused', code: body?.code ?? '', detail: body?.detail ?? null };
}

interface AnswerBody {
  readonly secondFactor?: SecondFactorQuestion;
  readonly code?: string;
  readonly detail?: string | null;
}
