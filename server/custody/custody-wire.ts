import { z } from 'zod';
import type { CustodyCapabilities } from '#domain/custody-capabilities.ts';
import { parseJson } from '#domain/json-text.ts';
import type { CustodyBalance, CustodyTransfer } from '#server/custody/custody-port.ts';

// Answers may grow fields; what we read must have exactly the shape that is written here.
const transaction = z.object({
  hash: z.string().min(1),
  nonce: z.union([z.number().int().nonnegative(), z.string().regex(/^[0-9]+$/)]).nullish(),
  status: z.string().min(1),
});

const transfer = z.object({
  id: z.string().min(1),
  externalId: z.string().min(1),
  asset: z.string(),
  network: z.string(),
  address: z.string(),
  memo: z.string().nullish(),
  // A bare JSON number has already been rounded by whoever parsed it.
  amount: z.string(),
  status: z.string().min(1),
  failureCode: z.string().nullish(),
  final: z.boolean(),
  createdAt: z.string().nullish(),
  transactions: z.array(transaction),
});

const transferPage = z.object({ data: z.array(transfer), nextCursor: z.string().nullish() });

const capabilities = z.object({
  referenceKept: z.boolean(),
  searchableByReference: z.boolean(),
  notAfterHonoured: z.boolean(),
  refusalsKept: z.boolean(),
  duplicateCheckFirst: z.boolean(),
  // Unsaid is no promise.
  requestsNeverRepeated: z.boolean().default(false),
  keyWindowSeconds: z.number().nonnegative(),
  readLagMs: z.number().nonnegative(),
  maxRequestMs: z.number().nonnegative(),
});

const balancesSchema = z.object({
  data: z.array(
    z.object({ asset: z.string(), network: z.string(), address: z.string().nullish(), available: z.string() }),
  ),
});

/** What the hot wallets hold; null when the text is no such list. */
export function parseBalances(text: string): CustodyBalance[] | null {
  const parsed = balancesSchema.safeParse(parseJson(text));
  return parsed.success ? parsed.data.data.map((one) => ({ ...one, address: one.address ?? null })) : null;
}

/** A transfer as custody writes it; null when the value has another shape. */
export function parseTransfer(value: unknown): CustodyTransfer | null {
  const parsed = transfer.safeParse(value);
  return parsed.success ? toTransfer(parsed.data) : null;
}

/** A list of transfers with the cursor of the next page; null when the text is none. */
export function parseTransferPage(text: string): { transfers: CustodyTransfer[]; nextCursor: string | null } | null {
  const parsed = transferPage.safeParse(parseJson(text));
  if (!parsed.success) return null;
  return { transfers: parsed.data.data.map(toTransfer), nextCursor: parsed.data.nextCursor ?? null };
}

/** What custody declares about itself; null when the text is no such declaration. */
export function parseCapabilities(text: string): CustodyCapabilities | null {
  const parsed = capabilities.safeParse(parseJson(text));
  if (!parsed.success) return null;
  const { keyWindowSeconds, ...rest } = parsed.data;
  return { ...rest, keyWindowMs: keyWindowSeconds * 1_000 };
}

function toTransfer(shown: z.infer<typeof transfer>): CustodyTransfer {
  return {
    id: shown.id,
    externalId: shown.externalId,
    asset: shown.asset,
    network: shown.network,
    address: shown.address,
    memo: shown.memo ?? null,
    amount: shown.amount,
    status: shown.status,
    failureCode: shown.failureCode ?? null,
    final: shown.final,
    createdAtMs: readTime(shown.createdAt),
    transactions: shown.transactions.map(({ hash, nonce, status }) => ({
      hash,
      nonce: nonce === null || nonce === undefined ? null : BigInt(nonce),
      status,
    })),
  };
}

/** A time that we cannot read is a time that custody does not tell; the transfer stays one. */
function readTime(text: string | null | undefined): number | null {
  const ms = Date.parse(text ?? '');
  return Number.isNaN(ms) ? null : ms;
}
