import { z } from 'zod';
import type { ProcessState } from './processes.ts';

const name = z.string().min(1);

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
]);

export type ControlOrder = z.infer<typeof ControlOrder>;
export type ControlAnswer = { ok: true; processes: ProcessState[] } | { ok: false; reason: string };
