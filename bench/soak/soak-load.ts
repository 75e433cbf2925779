import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { WireRequest } from '../harness/http-load.ts';

export interface SoakAnswer {
  /** Since the soak began, when it was due. */
  readonly dueMs: number;
  /** From when it was due to the answer that ended it; null when none came in time. */
  readonly tookMs: number | null;
  readonly isDuplicate: boolean;
}

/** At once, or a little later. */
const DUPLICATE_SHARE = 0.3;
const LATER_MS_MAX = 20_000;
const ANSWER_WITHIN_MS = 10_000;

/** Clicks at a fixed pace, whether the last one is answered or not; of ten clicks three are sent a second time. */
export async function loadForLong(input: {
  port: number;
  perSecond: number;
  milliseconds: number;
  click: (key: string) => WireRequest;
  onAnswer: (answer: SoakAnswer) => void;
  signal: AbortSignal;
}): Promise<{ clicks: number }> {
  const beganAt = performance.now();
  const everyMs = 1_000 / input.perSecond;
  const running = new Set<Promise<void>>();
  const send = async (request: WireRequest, dueMs: number, isDuplicate: boolean) => {
    const waitMs = beganAt + dueMs - performance.now();
    if (waitMs > 0) await sleep(waitMs);
    const isAnswered = await post(input.port, request);
    const tookMs = isAnswered ? performance.now() - beganAt - dueMs : null;
    input.onAnswer({ dueMs, tookMs, isDuplicate });
  };
  const begin = (work: Promise<void>) => {
    const kept: Promise<void> = work.finally(() => running.delete(kept));
    running.add(kept);
  };
  let clicks = 0;
  for (let dueMs = 0; dueMs < input.milliseconds; dueMs += everyMs) {
    input.signal.throwIfAborted();
    const waitMs = beganAt + dueMs - performance.now();
    if (waitMs > 0) await sleep(waitMs);
    const request = input.click(randomUUID());
    clicks += 1;
    begin(send(request, dueMs, false));
    // Half of them while the first is on its way.
    if (Math.random() >= DUPLICATE_SHARE) continue;
    const laterMs = Math.random() < 0.5 ? 0 : Math.random() * LATER_MS_MAX;
    begin(send(request, dueMs + laterMs, true));
  }
  await Promise.all(running);
  return { clicks };
}

async function post(port: number, { path, headers, body }: WireRequest): Promise<boolean> {
  const signal = AbortSignal.timeout(ANSWER_WITHIN_MS);
  try {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', headers, body, signal });
    await response.arrayBuffer();
    return response.ok;
  } catch {
    return false;
  }
}
