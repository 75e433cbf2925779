import { z } from 'zod';

/** Where a fault takes effect; each place asks for its own kinds only. */
export type FaultPoint = 'connection' | 'edge' | 'create' | 'read' | 'webhook' | 'chain' | 'at_once';

/** Every fault we can show, and where. The README tells what each looks like from outside. */
export const faultPoints = {
  refuse_connection: 'at_once',
  forget_since: 'at_once',
  restore_copy: 'at_once',
  clock_offset: 'at_once',
  close_before_reading: 'connection',
  edge_repeats: 'edge',
  slow: 'create',
  execute_then_drop: 'create',
  execute_late: 'create',
  body_stalls: 'create',
  error_before: 'create',
  error_after: 'create',
  html_200: 'create',
  truncated_json: 'create',
  rate_limit: 'create',
  unauthorized: 'create',
  forbidden: 'create',
  refuse_503: 'create',
  reject: 'create',
  insufficient_funds: 'create',
  odd_echo: 'create',
  lookup_lag: 'read',
  lookup_404: 'read',
  lookup_error: 'read',
  lookup_slow: 'read',
  webhook_lost: 'webhook',
  webhook_doubled: 'webhook',
  webhook_late: 'webhook',
  webhook_reordered: 'webhook',
  webhook_forged: 'webhook',
  webhook_altered: 'webhook',
  webhook_before_answer: 'create',
  fail_after_accept: 'chain',
  contradict_failed: 'chain',
  revert_on_chain: 'chain',
  stuck: 'chain',
  sim_stuck: 'chain',
  sim_reject: 'chain',
} as const satisfies Record<string, FaultPoint>;

export type FaultKind = keyof typeof faultPoints;

const kinds = z.enum(Object.keys(faultPoints).filter(isFaultKind));

function isFaultKind(name: string): name is FaultKind {
  return name in faultPoints;
}

/** How a fault is ordered over HTTP. Without count, share and externalId it strikes once. */
export const faultOrder = z
  .object({
    kind: kinds,
    count: z.number().int().positive().optional(),
    share: z.number().min(0).max(1).optional(),
    externalId: z.string().min(1).optional(),
    /** The fault ends by itself after this time; for refuse_connection and lookup_404, how long it lasts. */
    forMs: z.number().int().positive().optional(),
    delayMs: z.number().int().nonnegative().default(3_000),
    status: z.union([z.literal(500), z.literal(502), z.literal(504)]).default(502),
    code: z.string().min(1).optional(),
    times: z.number().int().min(1).max(20).default(1),
    seed: z.number().int().default(1),
    /** forget_since, restore_copy: the moment by the provider's clock, and how long it stays closed for it. */
    since: z.iso.datetime().optional(),
    downtimeMs: z.number().int().nonnegative().optional(),
    offsetMs: z.number().optional(),
  })
  .strict();

export type FaultOrder = z.infer<typeof faultOrder>;
export type Fault = FaultOrder & { id: string; remaining: number | null; applied: number; createdAtMs: number };
