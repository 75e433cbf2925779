import { TRPCError } from '@trpc/server';
import { ZodError } from 'zod';
import { REFUSALS, type Refusal, refuse } from '#domain/refusal.ts';
import { DatabaseError } from '#server/db/database-error.ts';

/** A refusal on its way out of a procedure. */
export class RefusalError extends Error {
  override readonly name = 'RefusalError';
  readonly refusal: Refusal;
  readonly withdrawalId: string | null;

  constructor(refusal: Refusal, withdrawalId: string | null = null) {
    super(REFUSALS[refusal.code].message);
    this.refusal = refusal;
    this.withdrawalId = withdrawalId;
  }
}

/** What a deed answered, once it was not refused. @throws RefusalError, with the withdrawal that it is about where one is named */
export function done<Answer extends { readonly kind: string }>(
  answer: Answer,
  withdrawalId: string | null = null,
): Exclude<Answer, Refused> {
  if (isRefused(answer)) throw new RefusalError(answer.refusal, withdrawalId);
  return answer as Exclude<Answer, Refused>;
}

interface Refused {
  readonly kind: 'refused';
  readonly refusal: Refusal;
}

function isRefused(answer: { readonly kind: string }): answer is Refused {
  return answer.kind === 'refused';
}

/** What a client is told about a refusal. */
export interface RefusalOnTheWire {
  readonly code: string;
  readonly message: string;
  readonly fields?: readonly string[];
  readonly detail?: string;
  readonly withdrawalId?: string;
}

/** The one error map of the API: every trouble becomes a refusal with a stable code, and nothing of ours leaks. */
export function toTrpcError(trouble: unknown, kind: 'query' | 'mutation' | 'subscription'): TRPCError {
  const cause = toRefusalError(trouble, kind);
  return new TRPCError({ code: TRPC_CODES[REFUSALS[cause.refusal.code].httpStatus], message: cause.message, cause });
}

/** Writes a refusal for the wire. */
export function refusalOnTheWire(error: RefusalError): RefusalOnTheWire {
  const { code, fields, detail } = error.refusal;
  return {
    code,
    message: REFUSALS[code].message,
    ...(fields === undefined ? {} : { fields }),
    ...(detail === undefined ? {} : { detail }),
    ...(error.withdrawalId === null ? {} : { withdrawalId: error.withdrawalId }),
  };
}

/** The refusal that a trouble comes to. Unknown is not failed: a deed that broke off may have been done. */
export function toRefusalError(trouble: unknown, kind: 'query' | 'mutation' | 'subscription'): RefusalError {
  if (trouble instanceof RefusalError) return trouble;
  if (trouble instanceof ZodError) return new RefusalError(shapeRefusal(trouble));
  if (trouble instanceof TRPCError) {
    if (trouble.cause !== undefined) return toRefusalError(trouble.cause, kind);
    const known = TRPC_REFUSALS[trouble.code];
    if (known !== undefined) return new RefusalError(refuse(known));
  }
  if (kind !== 'mutation') return new RefusalError(refuse('service_unavailable'));
  if (trouble instanceof DatabaseError && ROLLED_BACK.has(trouble.trouble)) {
    return new RefusalError(refuse('service_unavailable'));
  }
  return new RefusalError(refuse('outcome_unknown'));
}

/** The statement never arrived, or was undone whole: it is certain that nothing happened. */
const ROLLED_BACK: ReadonlySet<string> = new Set(['not_reached', 'try_again', 'refused']);

/** The first trouble with the shape of an input; unknown fields first, because they may hold what the rest lacks. */
export function shapeRefusal(error: ZodError): Refusal {
  const unknown = error.issues.flatMap((issue) => (issue.code === 'unrecognized_keys' ? issue.keys : []));
  if (unknown.length > 0) return refuse('unknown_field', { fields: unknown });
  const fields = [...new Set(error.issues.map((issue) => issue.path.join('.')))].filter((field) => field !== '');
  const [code] = fields.flatMap((field) => FIELD_CODES[field] ?? []);
  return refuse(code ?? 'request_malformed', fields.length > 0 ? { fields } : {});
}

const FIELD_CODES: Readonly<Partial<Record<string, Refusal['code']>>> = {
  asset: 'asset_unknown',
  network: 'network_unknown',
  address: 'address_malformed',
  memo: 'memo_malformed',
  amount: 'amount_malformed',
  idempotencyKey: 'idempotency_key_malformed',
  withdrawalId: 'not_found',
};

const TRPC_CODES = {
  400: 'BAD_REQUEST',
  401: 'UNAUTHORIZED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  409: 'CONFLICT',
  422: 'UNPROCESSABLE_CONTENT',
  429: 'TOO_MANY_REQUESTS',
  503: 'SERVICE_UNAVAILABLE',
} as const;

const TRPC_REFUSALS: Readonly<Partial<Record<TRPCError['code'], Refusal['code']>>> = {
  NOT_FOUND: 'not_found',
  PARSE_ERROR: 'request_malformed',
  BAD_REQUEST: 'request_malformed',
  METHOD_NOT_SUPPORTED: 'request_malformed',
  UNSUPPORTED_MEDIA_TYPE: 'request_malformed',
  PAYLOAD_TOO_LARGE: 'request_malformed',
  FORBIDDEN: 'forbidden',
  UNAUTHORIZED: 'unauthorized',
};
