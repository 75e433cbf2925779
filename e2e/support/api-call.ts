import { type APIRequestContext, expect } from '@playwright/test';
import type { RefusalCode } from '#domain/refusal.ts';
import { stack } from './running-stack.ts';

export interface ApiAnswer {
  readonly status: number;
  readonly text: string;
  readonly retryAfter: string | undefined;
  readonly refusal: { code: string; message: string; fields?: string[]; detail?: string; withdrawalId?: string } | null;
  readonly withdrawal: { withdrawalId: string; status: string; waitReason: string | null } | null;
}

export interface RequestBody {
  readonly [field: string]: unknown;
}

/** Sends a request for a withdrawal as our pages do; `headers` go over theirs, and an empty text takes one away. */
export async function requestWithdrawal(
  request: APIRequestContext,
  input: { key: string | null; body: RequestBody | string; headers?: Record<string, string> },
): Promise<ApiAnswer> {
  const headers = {
    origin: stack.urls.web,
    'content-type': 'application/json',
    ...(input.key === null ? {} : { 'idempotency-key': input.key }),
    ...input.headers,
  };
  const data = Buffer.from(typeof input.body === 'string' ? input.body : JSON.stringify(input.body));
  return toAnswer(await request.post('/api/trpc/withdrawal.request', { headers, data }));
}

/** Asks one question of the API. */
export async function askApi(request: APIRequestContext, procedure: string, input: unknown): Promise<ApiAnswer> {
  return toAnswer(await request.get(`/api/trpc/${procedure}?input=${encodeURIComponent(JSON.stringify(input))}`));
}

/** A refusal with a code that programs may rely on and a sentence that helps people; nothing of our insides. */
export function expectRefusal(answer: ApiAnswer, code: RefusalCode, status: number, what: string): void {
  expect.soft({ what, code: answer.refusal?.code, status: answer.status }).toEqual({ what, code, status });
  expect.soft(answer.refusal?.message, what).toMatch(/^[A-Z].{10,}[.?]$/s);
  expectNoInsides(answer, what);
}

/** No 500, no stack and no SQL, whatever was sent. */
export function expectNoInsides(answer: ApiAnswer, what: string): void {
  expect.soft(answer.status, what).not.toBe(500);
  expect.soft(answer.text, what).not.toMatch(/node_modules|\.mjs|\.ts:\d|\bat \w+ \(|"stack"/);
  expect
    .soft(answer.text, what)
    .not.toMatch(/\b(select|insert|update)\b.+\b(from|into|set)\b|relation |postgres|prisma/i);
}

async function toAnswer(response: Awaited<ReturnType<APIRequestContext['get']>>): Promise<ApiAnswer> {
  const text = await response.text();
  const body: {
    result?: { data?: { withdrawal?: ApiAnswer['withdrawal'] } & ApiAnswer['withdrawal'] };
    error?: { data?: { refusal?: ApiAnswer['refusal'] } };
  } = text.startsWith('{') ? JSON.parse(text) : {};
  return {
    status: response.status(),
    text,
    retryAfter: response.headers()['retry-after'],
    refusal: body.error?.data?.refusal ?? null,
    withdrawal: body.result?.data?.withdrawal ?? body.result?.data ?? null,
  };
}
