/** One answer of ours: a status, extra headers and a JSON text. */
export type Answer = { status: number; headers: Record<string, string>; body: string };

export type ProblemCode = keyof typeof titles;

const titles = {
  invalid_request: 'The request is not valid',
  unauthorized: 'The API key is missing or wrong',
  forbidden: 'The API key may not do this',
  not_found: 'There is no such thing',
  method_not_allowed: 'This method is not served here',
  duplicate_reference: 'A transfer under this external id exists',
  reference_closed: 'We signed that nothing will be made under this external id',
  idempotency_key_reused: 'The idempotency key belongs to another request',
  in_progress: 'A request with this idempotency key is still running',
  expired: 'The request is past its not-after',
  rate_limited: 'Too many requests',
  maintenance: 'Closed for maintenance; nothing was made',
  insufficient_hot_wallet_funds: 'The hot wallet is short of this asset; nothing was made',
  address_rejected: 'The address cannot be paid',
  asset_not_supported: 'The asset is not paid out on this network',
  amount_too_small: 'The amount is below our minimum',
  lookup_not_supported: 'Transfers cannot be searched by external id',
  internal_error: 'Something went wrong on our side',
} as const;

/** application/problem+json with a stable code. A caller decides by `code`, never by the texts. */
export function problem(
  status: number,
  code: ProblemCode,
  extra: Record<string, unknown> = {},
  headers: Record<string, string> = {},
): Answer {
  const body = { type: `about:blank#${code}`, title: titles[code], status, code, detail: titles[code], ...extra };
  return { status, headers: { 'content-type': 'application/problem+json', ...headers }, body: JSON.stringify(body) };
}

export function json(status: number, value: unknown, headers: Record<string, string> = {}): Answer {
  return jsonText(status, JSON.stringify(value), headers);
}

export function jsonText(status: number, body: string, headers: Record<string, string> = {}): Answer {
  return { status, headers: { 'content-type': 'application/json', ...headers }, body };
}
