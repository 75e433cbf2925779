/** How the one test that is named for a mutant came out, as vitest reports it. */
export interface NamedRun {
  /** Tests of exactly this name that ran. */
  readonly ran: number;
  /** What the failed one of them said; null when it passed. */
  readonly failure: string | null;
  /** Why nothing ran: a file that does not load, a set-up that fails. */
  readonly trouble: string | null;
}

export interface Verdict {
  readonly kind: 'killed' | 'survived' | 'not_run';
  /** How the test failed, or why that counts for nothing. */
  readonly detail: string;
}

/**
 * Killed is a mutant whose named test passes without it and fails by an assertion with it. A file that no longer loads, a set-up
 * that ends in an error or a test that ran out of time would show any change at all, and shows nothing about the promise.
 */
export function judgeMutant(healthy: NamedRun, sick: NamedRun): Verdict {
  if (healthy.ran !== 1) return notRun(`${healthy.ran} tests of this name ran without the mutant`, healthy);
  if (healthy.failure !== null) return { kind: 'not_run', detail: `fails without the mutant: ${firstLine(healthy)}` };
  if (sick.ran !== 1) return notRun('with the mutant the suite could not run', sick);
  if (sick.failure === null) return { kind: 'survived', detail: 'the test passed' };
  if (!sick.failure.startsWith('AssertionError')) {
    return { kind: 'not_run', detail: `failed, but by no assertion: ${firstLine(sick)}` };
  }
  return { kind: 'killed', detail: firstLine(sick) };
}

function notRun(what: string, { trouble }: NamedRun): Verdict {
  return { kind: 'not_run', detail: trouble === null ? what : `${what}: ${trouble.split('\n')[0] ?? ''}` };
}

function firstLine({ failure }: NamedRun): string {
  return failure?.split('\n')[0] ?? '';
}
