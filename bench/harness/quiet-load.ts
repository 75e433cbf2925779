import { loadHttp, type WireRequest } from './http-load.ts';

/** One in this time: far below what anybody here can do, so that nothing waits for anything. */
const EVERY_MS = 60;

/**
 * Sends at a fixed pace, whether the last one is answered or not: a system that stalls is not asked more kindly for it.
 *
 * @returns milliseconds from when each was due to its answer
 */
export async function loadQuietly(input: {
  port: number;
  milliseconds: number;
  next: () => WireRequest;
  /** @param atMs milliseconds since 1970 */
  onAnswer?: (request: WireRequest, atMs: number) => void;
}): Promise<{ operations: number; latencyMs: number[] }> {
  const count = Math.max(1, Math.floor(input.milliseconds / EVERY_MS));
  const latencyMs: number[] = [];
  const beganAt = performance.now();
  const send = async (number: number) => {
    const dueAt = beganAt + number * EVERY_MS;
    await new Promise((resolve) => setTimeout(resolve, dueAt - performance.now()));
    const request = input.next();
    await loadHttp({ port: input.port, connections: 1, milliseconds: 0, atLeast: 1, next: () => request });
    latencyMs.push(performance.now() - dueAt);
    input.onAnswer?.(request, Date.now());
  };
  await Promise.all(Array.from({ length: count }, (_, number) => send(number)));
  return { operations: count, latencyMs };
}
