const DEADLINE_MS = 12_000;

export type FactorResetAnswer = { kind: 'waits'; dueAt: string } | { kind: 'refused' } | { kind: 'unreachable' };

/** Begins the wait of a reset of second factors by the token of a mail. Repeated, it says the same time. */
export async function startFactorReset(token: string): Promise<FactorResetAnswer> {
  try {
    const response = await fetch('/api/auth/second-factor-reset/start', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token }),
      signal: AbortSignal.timeout(DEADLINE_MS),
    });
    if (response.status === 403) return { kind: 'refused' };
    if (!response.ok) return { kind: 'unreachable' };
    const { dueAt }: { dueAt: string } = await response.json();
    return { kind: 'waits', dueAt };
  } catch {
    return { kind: 'unreachable' };
  }
}
