/** What is thrown when something took longer than we wait. It may still happen later. */
export class DeadlineError extends Error {
  override readonly name = 'DeadlineError';
}

/** Waits for `work` no longer than the deadline; `add()` of a queue hangs for ever while Redis is down. @throws DeadlineError */
export async function withDeadline<Value>(work: Promise<Value>, deadlineMs: number, what: string): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new DeadlineError(`${what} took longer than ${deadlineMs} ms`)), deadlineMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
    // Whatever becomes of it after the deadline is nobody's unhandled rejection.
    work.catch(() => undefined);
  }
}
