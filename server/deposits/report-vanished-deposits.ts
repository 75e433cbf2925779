import type { Database } from '#server/db/database.ts';
import { findVanishedDeposits, type PresentChain } from '#server/deposits/find-vanished-deposits.ts';
import { openVanishedCases } from '#server/deposits/open-vanished-cases.ts';

/**
 * After a reorg deeper than finality: every deposit that was credited and is on the chain no more gets a case, once, and its
 * customer's payouts stop.
 *
 * @param input.below the newest number that was indexed; from there the walk goes down to the first block that still stands
 */
export async function reportVanishedDeposits(
  deps: { db: Database; chain: PresentChain },
  input: { networkId: string; below: number },
): Promise<{ vanished: number }> {
  const { networkId, below } = input;
  const effectIds = await findVanishedDeposits(deps, { networkId, span: { below } });
  const { opened } = await openVanishedCases(deps, { networkId, effectIds });
  return { vanished: opened };
}
