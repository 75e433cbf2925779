import type { PaymentNetwork } from '../networks/payment-network.ts';
import type { Database } from '../store/custody-database.ts';

// A node that does not take a transaction (short of gas money, down) is asked again at this pace.
const RETRY_MS = 1_000;

/** Sends stored bytes that were never sent, in the lane's order. `againMs` is null when nothing is left to send. */
export async function broadcastTransactions(
  deps: { database: Database; network: PaymentNetwork },
  input: { limit: number },
): Promise<{ sent: number; againMs: number | null }> {
  const { database, network } = deps;
  const waiting = await database.query<{ hash: string; raw: string; held_ms: number | null }>({
    name: 'transactions-to-broadcast',
    text: `select hash, raw, (extract(epoch from hold_until - clock_timestamp()) * 1000)::float8 as held_ms from signed_transaction
      where network = $1 and status = 'signed' order by nonce, version limit $2`,
    values: [network.name, input.limit],
  });
  const due = waiting.rows.filter((row) => (row.held_ms ?? 0) <= 0);
  const heldMs = waiting.rows.flatMap((row) => (row.held_ms !== null && row.held_ms > 0 ? [row.held_ms] : []));
  if (due.length === 0) return { sent: 0, againMs: heldMs.length === 0 ? null : Math.min(...heldMs) + 1 };

  const results = await network.broadcast(due);
  const sent = due.filter((_, place) => results[place] === 'sent');
  if (sent.length > 0) {
    const items = sent.map(({ hash }) => ({ hash, kind: 'broadcast' }));
    await database.query({
      name: 'record-progress',
      text: 'select record_progress($1)',
      values: [JSON.stringify(items)],
    });
  }
  if (sent.length < due.length) return { sent: sent.length, againMs: RETRY_MS };
  return { sent: sent.length, againMs: 0 };
}
