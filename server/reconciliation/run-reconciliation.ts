import type { CustodyPort } from '#server/custody/custody-port.ts';
import type { Database, Statement } from '#server/db/database.ts';
import { logger } from '#server/logger.ts';
import type { ProtocolTimes } from '#server/protocol-times.ts';
import { compareBalances } from '#server/reconciliation/compare-balances.ts';
import { compareChain } from '#server/reconciliation/compare-chain.ts';
import { compareCustodyList } from '#server/reconciliation/compare-custody-list.ts';
import { doubtUnsentWithdrawals } from '#server/reconciliation/doubt-unsent-withdrawals.ts';
import { tripBreaker } from '#server/switches/trip-breaker.ts';

export type RunOutcome = 'agreed' | 'discrepancies' | 'look_up_only' | 'failed';

// Custody's clock may run ahead of ours, and its list is cut by its own.
const CLOCKS_APART_MAX_MS = 10 * 60_000;

/**
 * Compares the three books, both ways: ours with custody's list, ours and custody's with the chain, the wallets with the
 * ledger. What differs is kept and shown; nothing is put right by itself. A deficit pauses its asset, and a transfer that our
 * memory does not hold begins look-up only.
 *
 * @param input.runId a run that this caller has begun
 */
export async function runReconciliation(
  deps: { db: Database; custody: CustodyPort; times: ProtocolTimes },
  input: { runId: string; windowMs: number },
): Promise<{ outcome: RunOutcome }> {
  const { runId, windowMs } = input;
  const [clock] = await deps.db.query<{ now: Date }>(readClockSql, []);
  if (clock === undefined) throw new Error('a database without a clock');
  const span = { fromMs: clock.now.getTime() - windowMs, toMs: clock.now.getTime() + CLOCKS_APART_MAX_MS };
  const listed = await compareCustodyList(deps, { runId, span });
  if (listed.kind === 'failed') return await end(deps, runId, span, 'failed', listed.reason, 0);
  const balances = await deps.custody.balances();
  if (balances === null) return await end(deps, runId, span, 'failed', 'balances', listed.transfers);
  const wallets = balances.flatMap(({ network, address }) => (address === null ? [] : [{ network, address }]));
  await compareChain(deps, { runId, fromMs: span.fromMs, hotWallets: wallets });
  const deficits = await compareBalances(deps, { runId, balances });
  if (deficits.size > 0) await tripBreaker(deps, { deficits });
  await deps.db.transaction((tx) => doubtUnsentWithdrawals({ db: tx }, { runId }));
  const outcome = listed.isOlder ? 'look_up_only' : null;
  return await end(deps, runId, span, outcome, null, listed.transfers);
}

async function end(
  deps: { db: Database },
  runId: string,
  span: { fromMs: number; toMs: number },
  outcome: RunOutcome | null,
  reason: string | null,
  transfers: number,
): Promise<{ outcome: RunOutcome }> {
  const values = [runId, outcome, reason, new Date(span.fromMs), new Date(span.toMs), transfers];
  const [ended] = await deps.db.query<{ outcome: RunOutcome; findings: number }>(endRunSql, values);
  const fields = { runId, transfers, findings: ended?.findings ?? 0, reason };
  const result = ended?.outcome ?? 'failed';
  if (result === 'failed') logger().warn('reconciliation.failed', fields);
  else logger().info('reconciliation.ended', { ...fields, outcome: result });
  return { outcome: result };
}

const readClockSql: Statement = { name: 'read_clock', text: 'select protocol_now() as now' };

const endRunSql: Statement = {
  name: 'end_reconciliation',
  text: `
    with forgotten as (delete from reconciliation_seen where run_id = $1::bigint)
    update reconciliation_runs r
    set ended_at = protocol_now(), lease_until = null, reason = $3, from_at = $4, to_at = $5, transfers = $6,
      outcome = coalesce($2, case when r.findings > 0 then 'discrepancies' else 'agreed' end)
    where r.id = $1::bigint and r.ended_at is null returning r.outcome, r.findings`,
};
