/** Why the server refused, as it came over the wire. `code` is stable; `message` is a sentence in English. */
export type RefusalView = {
  code: string;
  message: string;
  /** The exact reason, where there is more to say than the message. */
  detail: string | null;
  fields: string[];
  /** The withdrawal a refusal points at: the earlier one of a look-alike, or the one already under the key. */
  withdrawalId: string | null;
};

/** `answered`: our server spoke. `silent`: nothing that our server certainly said came back. */
export type ApiError = { kind: 'answered'; httpStatus: number; refusal: RefusalView } | { kind: 'silent' };

/**
 * Sorts what a call threw. Only an error that carries our own error shape counts as an answer: a proxy's page, a cut
 * connection and a time-out say nothing about whether the request arrived.
 */
export function readApiError(error: unknown): ApiError {
  const data = property(error, 'data');
  const httpStatus = property(data, 'httpStatus');
  if (typeof httpStatus !== 'number') return { kind: 'silent' };
  return { kind: 'answered', httpStatus, refusal: readRefusal(property(data, 'refusal'), error) };
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
  };
}

function property(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  return Reflect.get(value, name);
}
