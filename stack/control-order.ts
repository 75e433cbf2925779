import { z } from 'zod';
import type { ProcessState } from './processes.ts';

const name = z.string().min(1);
/** Whoever asks for more has forgotten it before it ends. */
export const OUTAGE_MS_MAX = 60_000;

/** What a test may ask of the stack it runs against. */
export const ControlOrder = z.discriminatedUnion('deed', [
  z.strictObject({ deed: z.literal('list') }),
  z.strictObject({ deed: z.literal('start'), name, env: z.record(z.string(), z.string()) }),
  z.strictObject({ deed: z.literal('stop'), name }),
  z.strictObject({
    deed: z.literal('kill'),
    name,
    signal: z.enum(['SIGKILL', 'SIGTERM', 'SIGINT', 'SIGSTOP', 'SIGCONT']),
  }),
  /** Gone for a while, or there and silent, and back by itself: answered once it has begun. */
  z.strictObject({
    deed: z.literal('outage'),
    name,
    how: z.enum(['stop', 'pause']),
    forMs: z.number().int().min(1).max(OUTAGE_MS_MAX),
  }),
]);

export type ControlOrder = z.infer<typeof ControlOrder>;
/** `until` is when its end begins; it stays in the list until it is over. */
export type Outage = { name: string; until: string };
export type ControlAnswer = { ok: true; processes: ProcessState[]; outages: Outage[] } | { ok: false; reason: string };
