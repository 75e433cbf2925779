import type { Db } from '#server/db/database.ts';
import { recordTransition } from '#server/withdrawals/record-transition.ts';

/**
 * While we only look up, whatever our memory calls "not sent" is in doubt, what was accepted since then included: a browser
 * may ask again under a key that the lost memory has already sent. Called in the transaction that begins or ends the spell,
 * and at every comparison within it. Does nothing where no spell is open.
 */
export async function doubtUnsentWithdrawals(
  deps: { db: Db },
  input: { runId: string | null },
): Promise<{ rows: number }> {
  const moved = await recordTransition(deps, { kind: 'memory_lost', evidence: { runId: input.runId } });
  return { rows: moved.kind === 'moved' ? moved.rows : 0 };
}
