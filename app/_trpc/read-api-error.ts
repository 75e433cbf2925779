/** Why the server refused, as it came over the wire. `code` is stable; `message` is a sentence in English. */
export type RefusalView = {
  code: string;
  message: string;
  /** The exact reason, where there is more to say than the message. */
  detail: string | null;
  fields: string[];
  /** The withdrawal a refusal points at: the earlier one of a look-alike, or the one already under the key. */
  withdrawalId: string | null;
  /** The id under which our server wrote the refusal down; null where none of ours came with it. */
  reference: string | null;
};

/** `answered`: our server said what became of it. `silent`: nothing came back that certainly says so. */
export type ApiError = { kind: 'answered'; httpStatus: number; refusal: RefusalView } | { kind: 'silent' };

/**
 * Sorts what a call threw. Only an error that carries our own error shape counts as an answer: a proxy's page, a cut
 * connection and a time-out say nothing about whether the request arrived, and our server that does not know it either says no
 * more. Whoever repeats after silence repeats under the same id.
 */
export function readApiError(error: unknown): ApiError {
  const data = property(error, 'data');
  const httpStatus = property(data, 'httpStatus');
  if (typeof httpStatus !== 'number') return { kind: 'silent' };
  const refusal = readRefusal(property(data, 'refusal'), error);
  return refusal.code === 'outcome_unknown' ? { kind: 'silent' } : { kind: 'answered', httpStatus, refusal };
}

/**
 * The id under which our server wrote a trouble down, for the person to name to the support. Null when no answer of ours
 * came, and so nothing can be found under any id.
 */
export function readReference(error: unknown): string | null {
  const headers = property(property(property(error, 'meta'), 'response'), 'headers');
  // A page of ours that is no JSON, and a body that was cut, still carry the id in their head.
  const id = property(property(error, 'data'), 'requestId') ?? (headers instanceof Headers && readReferenceOf(headers));
  return typeof id === 'string' ? id : null;
}

/** The same of a bare answer. */
export function readReferenceOf(headers: Headers): string | null {
  return headers.get('x-request-id');
}

function readRefusal(refusal: unknown, error: unknown): RefusalView {
  const code = property(refusal, 'code') ?? property(property(error, 'data'), 'code');
  const message = property(refusal, 'message') ?? property(error, 'message');
  const detail = property(refusal, 'detail');
  const fields = property(refusal, 'fields');
  const withdrawalId = property(refusal, 'withdrawalId');
  return {
    code: typeof code === 'string' ? code : 'unknown',
    message: typeof message === 'string' ? message : '',
    detail: typeof detail === 'string' ? detail : null,
    fields: Array.isArray(fields) ? fields.filter((field) => typeof field === 'string') : [],
    withdrawalId: typeof withdrawalId === 'string' ? withdrawalId : null,
    reference: readReference(error),
  };
}

function property(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  return Reflect.get(value, name);
}
