const DEADLINE_MS = 12_000; // A password is hashed slowly on purpose; longer than this nobody answers.

/**
 * Asks the accounts door for one deed, by GET where there is no body; null when nobody answered. Each of its deeds can be
 * repeated without harm.
 */
export async function callAuth(path: string, body: object | null): Promise<Response | null> {
  try {
    return await fetch(`/api/auth/${path}`, {
      signal: AbortSignal.timeout(DEADLINE_MS),
      redirect: 'manual',
      ...(body === null
        ? {}
        : { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    });
  } catch {
    return null;
  }
}
