const DEADLINE_MS = 12_000; // A password is hashed slowly on purpose; longer than this nobody answers.

/** What the accounts door said: done, refused, too often, or nothing at all. Each of its deeds can be repeated. */
export type AuthAnswer = 'done' | 'refused' | 'too_often' | 'unreachable';

/** Asks the accounts door for one deed, `sign-in/email` and the like. A GET is asked for with a null body. */
export async function askAuth(path: string, body: Record<string, unknown> | null): Promise<AuthAnswer> {
  try {
    const response = await fetch(`/api/auth/${path}`, {
      signal: AbortSignal.timeout(DEADLINE_MS),
      redirect: 'manual',
      ...(body === null
        ? {}
        : { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    });
    if (response.ok) return 'done';
    if (response.status === 429) return 'too_often';
    return response.status >= 400 && response.status < 500 ? 'refused' : 'unreachable';
  } catch {
    return 'unreachable';
  }
}
