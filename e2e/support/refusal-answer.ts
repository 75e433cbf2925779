import { REFUSALS, type RefusalCode } from '#domain/refusal.ts';

/** What our server answers when it refuses: for the refusals that no test can bring about from outside. */
export function refusalAnswer(
  code: RefusalCode,
  requestId: string | null = null,
): { status: number; contentType: string; body: string } {
  const { message, httpStatus } = REFUSALS[code];
  return {
    status: httpStatus,
    contentType: 'application/json',
    body: JSON.stringify({
      error: { message, code: -32_600, data: { httpStatus, refusal: { code, message }, requestId } },
    }),
  };
}
