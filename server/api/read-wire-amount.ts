import { parseAmount } from '#domain/money.ts';
import { refuse } from '#domain/refusal.ts';
import { RefusalError } from '#server/api/refusal-to-trpc.ts';

/**
 * Reads an amount in whole units.
 *
 * @throws RefusalError naming the field, when it is none of at most so many decimals
 */
export function readWireAmount(text: string, decimals: number, field: string): bigint {
  const parsed = parseAmount(text, decimals);
  if (parsed.kind === 'refused') throw new RefusalError(refuse(parsed.code, { fields: [field] }));
  return parsed.minor;
}
