import { beginPollSql } from '#server/sql/begin-poll.sql.ts';
import { endPollSql } from '#server/sql/end-poll.sql.ts';
import { waitWithoutReaderSql } from '#server/sql/wait-without-reader.sql.ts';
import { applyCustodyEvent } from '#server/withdrawals/apply-custody-event.ts';
import type { ResolverDeps } from '#server/withdrawals/resolution.ts';

interface Poll {
  readonly reference: string;
  readonly status: string;
  readonly attempt: number;
  readonly age_ms: number;
}

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
  const [poll] = await deps.db.query<Poll>(beginPollSql, [withdrawalId, provider, account, deps.times.resolveLeaseMs]);
  if (poll === undefined) return { kind: 'nothing_to_do' };
  const asked = await deps.custody.findByReference(poll.reference);
  const end = (outcome: string, detail: object, reason: string | null) =>
    deps.db.query(endPollSql, [
      withdrawalId,
      poll.attempt,
      outcome,
      detail,
      poll.status,
      nextPollMs(deps, poll),
      reason,
    ]);

  if (asked.kind === 'failed') {
    await end('look_up_failed', { reason: asked.reason }, 'look_up_failed');
    return { kind: 'failed' };
  }
  const ours = asked.kind === 'found' ? asked.transfers.filter((one) => one.externalId === poll.reference) : [];
  if (ours.length === 0) {
    // We hold its id: custody lost it or does not show it. Nothing is sent or released for that; people see the reason.
    await end('not_found', {}, 'custody_does_not_show_it');
    return { kind: 'not_found' };
  }
  const changed: string[] = [];
  await deps.db.transaction(async (tx) => {
    for (const transfer of ours) {
      const fact = { transfer, site: deps.custody.site, source: 'look_up', sourceId: String(poll.attempt) } as const;
      const result = await applyCustodyEvent({ db: tx, times: deps.times }, { ...fact, attempt: poll.attempt });
      if (result.kind !== 'same') changed.push(result.kind);
    }
  });
  // Its end waits for the proof that no transaction of it can pay any more; the indexer looks for that under this reason.
  const isGivenUp = ours.every((transfer) => transfer.status === 'failed' && transfer.final);
  await end('found', { transferStatus: ours[0]?.status ?? '' }, isGivenUp ? 'custody_failed' : null);
  const isConfirmed = ours.every((transfer) => transfer.status === 'confirmed');
  const said = isGivenUp ? 'failed' : isConfirmed ? 'confirmed' : 'open';
  await deps.db.query(waitWithoutReaderSql, [withdrawalId, said, deps.times.unreadEndMs, deps.times.parkedLookUpMs]);
  return { kind: changed.length > 0 ? 'applied' : 'same' };
}

/** As long again as the row has been in its state, between the first and the longest wait. */
function nextPollMs(deps: ResolverDeps, poll: Poll): number {
  return Math.min(deps.times.pollMaxMs, Math.max(deps.times.pollFirstMs, poll.age_ms));
}
