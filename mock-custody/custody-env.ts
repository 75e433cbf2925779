import { z } from 'zod';

const environment = z.object({
  CUSTODY_PORT: z.coerce.number().int().min(1).max(65_535),
  CUSTODY_HOST: z.string().default('127.0.0.1'),
  CUSTODY_DATABASE_URL: z.string().min(1),
  CHAIN_RPC_URL: z.url(),
  CUSTODY_API_KEY: z.string().min(1),
  CUSTODY_WEBHOOK_URL: z.url().optional(),
  CUSTODY_WEBHOOK_SECRET: z
    .string()
    .regex(/^whsec_\S+( whsec_\S+)*$/, 'one or more whsec_… secrets, separated by a space'),
  // Ed25519, PKCS8 in base64; without it we make one and keep it.
  CUSTODY_STATEMENT_KEY: z.string().min(1).optional(),
  CUSTODY_HOT_WALLET_KEY: z.string().regex(/^0x[0-9a-fA-F]{64}$/),
  CUSTODY_PROFILE: z.string().default('replays'),
  USDC_CONTRACT: z.string().regex(/^0x[0-9a-fA-F]{40}$/),
  USDT_CONTRACT: z.string().regex(/^0x[0-9a-fA-F]{40}$/),
  // A day, as most providers document it; PUT /control/profile changes it while the process runs.
  CUSTODY_KEY_WINDOW_SECONDS: z.coerce.number().int().positive().default(86_400),
  // Longer than any request of ours really takes; a client's own time-out must be longer still.
  CUSTODY_MAX_REQUEST_MS: z.coerce.number().int().positive().default(20_000),
  // Blocks on top of a transaction after which we call its transfer final.
  CUSTODY_FINALITY_BLOCKS: z.coerce.number().int().positive().default(3),
  CUSTODY_WEBHOOK_FIRST_RETRY_MS: z.coerce.number().int().positive().default(1_000),
  CUSTODY_SIM_BLOCK_MS: z.coerce.number().int().positive().default(1_000),
});

export type CustodyEnv = z.infer<typeof environment>;

/** The process's settings, parsed once. Throws with every wrong or missing name in one message. */
export function readCustodyEnv(source: Record<string, string | undefined>): CustodyEnv {
  const parsed = environment.safeParse(source);
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
  throw new Error(`mock-custody cannot start:\n  ${faults.join('\n  ')}`);
}
