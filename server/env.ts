import { z } from 'zod';

const text = z.string().trim().min(1);
const port = z.coerce.number().int().min(0).max(65_535);
// An empty value in a compose file means "not set".
const optional = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess((value) => (value === '' ? undefined : value), schema.optional());

const SCHEMA = z.object({
  DATABASE_URL: text,
  REDIS_URL: text,
  CUSTODY_URL: z.url(),
  CUSTODY_API_KEY: text,
  CUSTODY_WEBHOOK_SECRET: optional(text),
  CUSTODY_STATEMENT_KEYS: optional(text),
  CHAIN_RPC_URL: optional(z.url()),
  SIMULATED_CHAINS_URL: optional(z.url()),
  PUBLIC_URL: z.url().default('http://localhost:3000'),
  AUTH_SECRET: optional(text),
  PORT: port.default(3000),
  WORKER_HEALTH_PORT: optional(port),
  DEMO_MODE: optional(z.enum(['0', '1'])),
  PROTOCOL_TIMES: z.enum(['production', 'proof']).default('production'),
  FAULT_POINTS: optional(text),
  FAULT_POINTS_FILE: optional(text),
  SMTP_URL: optional(z.url()),
  METRICS_TOKEN: optional(text),
  TRUSTED_PROXY_HOPS: optional(z.coerce.number().int().min(0).max(10)),
  LAB_CONTROL_URL: optional(z.url()),
  LAB_CONTROL_TOKEN: optional(text),
  OTEL_EXPORTER_OTLP_ENDPOINT: optional(z.url()),
  NEXT_DIST_DIR: z.string().min(1).default('.next'),
  USDC_CONTRACT: optional(text),
  USDT_CONTRACT: optional(text),
});

/** What a process is told from outside. Null is "not given": whoever needs it says so in words when it starts. */
export interface Env {
  readonly databaseUrl: string;
  readonly redisUrl: string;
  readonly custodyUrl: string;
  readonly custodyApiKey: string;
  /** Several while a secret is being rotated; each `whsec_…`. */
  readonly custodyWebhookSecrets: readonly string[];
  /** By which custody's statements are verified: Ed25519, SPKI in base64; several while a key is being rotated. */
  readonly custodyStatementKeys: readonly string[];
  readonly chainRpcUrl: string | null;
  /** Where custody's simulator shows the blocks of what is no EVM chain; null leaves those networks unread. */
  readonly simulatedChainsUrl: string | null;
  /** The origin that people type, without a path. */
  readonly publicUrl: string;
  readonly authSecret: string | null;
  readonly port: number;
  readonly workerHealthPort: number | null;
  readonly demoMode: boolean;
  readonly protocolTimes: 'production' | 'proof';
  readonly faultPoints: string | null;
  readonly faultPointsFile: string | null;
  /** Where mail is sent; null keeps it for the demo's mailbox, or until there is a server. */
  readonly smtpUrl: string | null;
  /** What a scraper must bring; null lets only this machine read the metrics. */
  readonly metricsToken: string | null;
  /** How many proxies of ours stand in front of web, each of which appends to X-Forwarded-For. */
  readonly trustedProxyHops: number;
  /** What kills and starts the workers of the demo; null where whoever started it offers none. */
  readonly labControl: { readonly url: string; readonly token: string } | null;
  /** Where spans are sent, OTLP over HTTP; null traces nothing. */
  readonly otlpEndpoint: string | null;
  readonly nextDistDir: string;
  readonly usdcContract: string | null;
  readonly usdtContract: string | null;
}

let known: Env | undefined;

/**
 * Reads the environment on first use, never on import: a build has none.
 *
 * @throws Error that names each variable which is missing or malformed, without its value
 */
export function readEnv(): Env {
  known ??= parseEnv(process.env);
  return known;
}

/** Reads an environment that is given. @throws Error as `readEnv` does */
export function parseEnv(source: Readonly<Record<string, string | undefined>>): Env {
  const parsed = SCHEMA.safeParse(source);
  if (!parsed.success) {
    const problems = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
    throw new Error(`the environment is not complete: ${problems.join('; ')}`);
  }
  const values = parsed.data;
  const publicUrl = new URL(values.PUBLIC_URL).origin;
  const demoMode = values.DEMO_MODE === '1';
  if (demoMode) refuseDemoOutside(publicUrl);
  // On a simulated chain anybody may be paid out of nothing, and a deposit there is credited.
  if (values.SIMULATED_CHAINS_URL !== undefined)
    refuseOutside(publicUrl, 'SIMULATED_CHAINS_URL credits coins that come from nowhere');
  return {
    databaseUrl: values.DATABASE_URL,
    redisUrl: values.REDIS_URL,
    custodyUrl: values.CUSTODY_URL,
    custodyApiKey: values.CUSTODY_API_KEY,
    custodyWebhookSecrets: values.CUSTODY_WEBHOOK_SECRET?.split(/\s+/) ?? [],
    custodyStatementKeys: values.CUSTODY_STATEMENT_KEYS?.split(/\s+/) ?? [],
    chainRpcUrl: values.CHAIN_RPC_URL ?? null,
    simulatedChainsUrl: values.SIMULATED_CHAINS_URL ?? null,
    publicUrl,
    authSecret: values.AUTH_SECRET ?? null,
    port: values.PORT,
    workerHealthPort: values.WORKER_HEALTH_PORT ?? null,
    demoMode,
    protocolTimes: values.PROTOCOL_TIMES,
    faultPoints: values.FAULT_POINTS ?? null,
    faultPointsFile: values.FAULT_POINTS_FILE ?? null,
    smtpUrl: values.SMTP_URL ?? null,
    metricsToken: values.METRICS_TOKEN ?? null,
    trustedProxyHops: values.TRUSTED_PROXY_HOPS ?? 0,
    labControl:
      values.LAB_CONTROL_URL !== undefined && values.LAB_CONTROL_TOKEN !== undefined
        ? { url: values.LAB_CONTROL_URL, token: values.LAB_CONTROL_TOKEN }
        : null,
    otlpEndpoint: values.OTEL_EXPORTER_OTLP_ENDPOINT ?? null,
    nextDistDir: values.NEXT_DIST_DIR,
    usdcContract: values.USDC_CONTRACT ?? null,
    usdtContract: values.USDT_CONTRACT ?? null,
  };
}

/** Demo mode hands out sessions and prints its passwords. @throws Error unless only this machine can reach the origin */
export function refuseDemoOutside(publicUrl: string): void {
  refuseOutside(publicUrl, 'DEMO_MODE gives anybody a session');
}

/** What is safe on this machine alone. */
function refuseOutside(publicUrl: string, harm: string): void {
  if (isLoopbackOrigin(publicUrl)) return;
  throw new Error(`${harm}, and PUBLIC_URL is ${publicUrl}: it must be a loopback origin`);
}

function isLoopbackOrigin(origin: string): boolean {
  const { hostname } = new URL(origin);
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);
}
