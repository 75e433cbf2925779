import { z } from 'zod';
import { problem } from '../problem.ts';
import { answered, type Reply } from './reply.ts';
import type { RouteContext } from './route.ts';

/** Reads a JSON body of the given shape and acts on it, or answers 400 saying what is wrong. An empty body is `{}`. */
export async function parseJsonBody<T>(
  context: RouteContext,
  schema: z.ZodType<T>,
  act: (value: T) => Promise<Reply>,
): Promise<Reply> {
  let value: unknown;
  try {
    const text = await context.readBody();
    value = text === '' ? {} : JSON.parse(text);
  } catch {
    return answered(problem(400, 'invalid_request', { detail: 'the body is not JSON' }));
  }
  const result = schema.safeParse(value);
  if (!result.success) return answered(problem(400, 'invalid_request', { detail: z.prettifyError(result.error) }));
  return act(result.data);
}
