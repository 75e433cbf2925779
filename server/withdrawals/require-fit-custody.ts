import { mayStartWith } from '#domain/custody-capabilities.ts';
import type { CustodyPort } from '#server/custody/custody-port.ts';
import { logger } from '#server/logger.ts';
import { findUnfitCustody, type ProtocolTimes } from '#server/protocol-times.ts';

/**
 * Refuses a provider that cannot be worked with safely: neither a permanent reference nor a not-after, or times that do not fit
 * ours. A provider that does not answer now is judged at the next start; nothing is resent or released without its declaration.
 *
 * @throws Error naming what does not fit
 */
export async function requireFitCustody(deps: { custody: CustodyPort; times: ProtocolTimes }): Promise<void> {
  const declared = await deps.custody.capabilities();
  if (declared === null) return logger().warn('custody.not_declared', { provider: deps.custody.site.provider });
  if (!mayStartWith(declared, false)) throw new Error('custody keeps no reference and honours no not-after');
  const unfit = findUnfitCustody(deps.times, declared);
  if (unfit !== null) throw new Error(`protocol times do not fit custody: ${unfit}`);
}
