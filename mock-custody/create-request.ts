import { createHash } from 'node:crypto';
import { z } from 'zod';

/** The body of POST /v1/transfers. Unknown fields are refused: a typing error must not change what is paid. */
export const createBody = z
  .object({
    externalId: z.string().min(1).max(128),
    asset: z.string().min(1).max(16),
    network: z.string().min(1).max(32),
    address: z.string().min(1).max(256),
    memo: z.string().min(1).max(128).nullable(),
    amount: z.string().regex(/^(0|[1-9]\d{0,59})(\.\d{1,30})?$/, 'a decimal text without sign or exponent'),
    notAfter: z.iso.datetime({ offset: true }),
  })
  .strict();

export type CreateRequest = z.infer<typeof createBody> & { idempotencyKey: string; bodyHash: string };

/** The request as we understand it, or the first thing that is wrong with it. The hash is over the bytes as they came. */
export function parseCreateRequest(input: {
  idempotencyKey: string | undefined;
  raw: string;
}): { kind: 'request'; request: CreateRequest } | { kind: 'invalid'; detail: string } {
  const { idempotencyKey } = input;
  if (idempotencyKey === undefined || !/^[\x21-\x7e]{8,255}$/.test(idempotencyKey))
    return { kind: 'invalid', detail: 'Idempotency-Key: 8 to 255 visible ASCII characters are required' };
  let value: unknown;
  try {
    value = JSON.parse(input.raw);
  } catch {
    return { kind: 'invalid', detail: 'the body is not JSON' };
  }
  const parsed = createBody.safeParse(value);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    return {
      kind: 'invalid',
      detail: issue === undefined ? 'the body is not valid' : `${issue.path.join('.')}: ${issue.message}`,
    };
  }
  return { kind: 'request', request: { ...parsed.data, idempotencyKey, bodyHash: hashBody(input.raw) } };
}

export function hashBody(raw: string): string {
  return createHash('sha256').update(raw).digest('hex');
}
