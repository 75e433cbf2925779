import { z } from 'zod';
import { canonicalChainText } from '#domain/chain-text.ts';
import { differingFields } from '#domain/custody-transfer.ts';
import type { CustodyTransfer } from '#server/custody/custody-port.ts';
import { beginPollSql } from '#server/sql/begin-poll.sql.ts';
import { endPollSql } from '#server/sql/end-poll.sql.ts';
import { waitWithoutReaderSql } from '#server/sql/wait-without-reader.sql.ts';
import { applyCustodyEvent } from '#server/withdrawals/apply-custody-event.ts';
import { paymentColumns, toExpectedTransfer } from '#server/withdrawals/payment-row.ts';
import type { ResolverDeps } from '#server/withdrawals/resolution.ts';

const pollSchema = z.object({
  ...paymentColumns,
  status: z.enum(['submitted', 'broadcast']),
  attempt: z.number(),
  age_ms: z.number(),
  transfer_id: z.string().nullable(),
  /** Of every transaction that custody ever named. */
  hashes: z.array(z.string()),
  /** A look-up of custody's once proved that a send made nothing. */
  denied: z.boolean(),
  /** Nobody of ours reads this network. */
  unread: z.boolean(),
});
type Poll = z.infer<typeof pollSchema>;

/**
 * Asks custody how far a transfer is that it has accepted. Webhooks usually come first; this alone finishes a withdrawal when
 * none ever comes. On a network that nobody of ours reads its end is asked of people.
 */
export async function pollTransfer(
  deps: ResolverDeps,
  input: { withdrawalId: string },
): Promise<{ kind: 'nothing_to_do' | 'applied' | 'same' | 'not_found' | 'failed' }> {
  const { provider, account } = deps.custody.site;
  const { withdrawalId } = input;
  const [begun] = await deps.db.query<object>(beginPollSql, [
    withdrawalId,
    provider,
    account,
    deps.times.resolveLeaseMs,
  ]);
  if (begun === undefined) return { kind: 'nothing_to_do' };
  const poll = pollSchema.parse(begun);
  const { idempotency_key: reference, attempt, status } = poll;
  const asked = await deps.custody.findByReference(reference);
  const end = async (outcome: string, detail: object, reason: string | null, transferId: string | null = null) => {
    const values = [withdrawalId, attempt, outcome, detail, status, nextPollMs(deps, poll), reason, transferId];
    const ended = await deps.db.query(endPollSql, values);
    return ended.length > 0;
  };

  if (asked.kind === 'failed') {
    await end('look_up_failed', { reason: asked.reason }, 'look_up_failed');
    return { kind: 'failed' };
  }
  const ours = asked.kind === 'found' ? asked.transfers.filter((one) => one.externalId === reference) : [];
  const [first] = ours;
  if (first === undefined) {
    // We hold its id: custody lost it or does not show it. Nothing is sent or released for that; people see the reason.
    await end('not_found', {}, 'custody_does_not_show_it');
    return { kind: 'not_found' };
  }
  // Most looks bring no news: the attempt is kept, and the row locked for nothing else. Where it moved meanwhile, it is compared again.
  const evidence = { source: 'look_up', sourceId: String(attempt), transferStatus: first.status };
  const isOld = ours.length === 1 && isKnown(poll, first) && (await end('found', evidence, null, first.id));
  const changed = isOld ? [] : await applyFound(deps, ours, attempt);
  // Its end waits for the proof that no transaction of it can pay any more; the indexer looks for that under this reason.
  const isGivenUp = ours.every((transfer) => transfer.status === 'failed' && transfer.final);
  if (!isOld) await end('found', { transferStatus: first.status }, isGivenUp ? 'custody_failed' : null);
  const isConfirmed = ours.every((transfer) => transfer.status === 'confirmed');
  const said = isGivenUp ? 'failed' : isConfirmed ? 'confirmed' : 'open';
  if (poll.unread && (said !== 'open' || poll.age_ms >= deps.times.unreadEndMs)) {
    await deps.db.query(waitWithoutReaderSql, [withdrawalId, said, deps.times.unreadEndMs, deps.times.parkedLookUpMs]);
  }
  return { kind: changed.length > 0 ? 'applied' : 'same' };
}

/** What leaves a row where it is, by its status. */
const NO_NEWS: Readonly<Record<Poll['status'], readonly string[]>> = {
  submitted: ['accepted', 'signed'],
  broadcast: ['accepted', 'signed', 'broadcast', 'confirmed'],
};

/** Whether all that custody shows stands in the row already, and nothing contradicts it. */
function isKnown(poll: Poll, transfer: CustodyTransfer): boolean {
  return (
    transfer.id === poll.transfer_id &&
    !poll.denied &&
    NO_NEWS[poll.status].includes(transfer.status) &&
    transfer.transactions.every(({ hash }) => poll.hashes.includes(canonicalChainText(hash))) &&
    differingFields(toExpectedTransfer(poll), transfer).length === 0
  );
}

/** In one transaction, under the row's lock. @returns what became of each that brought news */
async function applyFound(
  deps: ResolverDeps,
  transfers: readonly CustodyTransfer[],
  attempt: number,
): Promise<string[]> {
  const { site } = deps.custody;
  const changed: string[] = [];
  await deps.db.transaction(async (tx) => {
    for (const transfer of transfers) {
      const fact = { transfer, site, source: 'look_up', sourceId: String(attempt), attempt } as const;
      const result = await applyCustodyEvent({ db: tx, times: deps.times }, fact);
      if (result.kind !== 'same') changed.push(result.kind);
    }
  });
  return changed;
}

/** As long again as the row has been in its state, between the first and the longest wait. */
function nextPollMs(deps: ResolverDeps, poll: Poll): number {
  return Math.min(deps.times.pollMaxMs, Math.max(deps.times.pollFirstMs, poll.age_ms));
}
