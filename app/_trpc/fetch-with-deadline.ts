const QUERY_DEADLINE_MS = 8_000; // A look-up that takes longer is asked again by its schedule.
// Longer than the server's own lock time-out (2 s) and the moment the page says "still working" (8 s).
const MUTATION_DEADLINE_MS = 12_000;

/** `fetch` that gives up waiting. An aborted request may still be carried out: the caller treats it as unknown. */
export async function fetchWithDeadline(input: RequestInfo | URL | string, init?: RequestInit): Promise<Response> {
  const controller = new AbortController();
  const abort = () => controller.abort();
  const timer = setTimeout(abort, init?.method === 'POST' ? MUTATION_DEADLINE_MS : QUERY_DEADLINE_MS);
  if (init?.signal?.aborted) abort();
  init?.signal?.addEventListener('abort', abort);
  try {
    const response = await fetch(input, { ...init, signal: controller.signal });
    // The body counts too: headers with a body that stalls are no answer.
    return new Response(await response.arrayBuffer(), response);
  } finally {
    clearTimeout(timer);
    init?.signal?.removeEventListener('abort', abort);
  }
}
