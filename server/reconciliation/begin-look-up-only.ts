import type { OurTransfer } from '#domain/reconciliation.ts';
import { appendAudit } from '#server/audit/append-audit.ts';
import type { CustodyPort, CustodyTransfer } from '#server/custody/custody-port.ts';
import type { Database, Db, Statement } from '#server/db/database.ts';
import { logger } from '#server/logger.ts';
import type { ProtocolTimes } from '#server/protocol-times.ts';
import { doubtUnsentWithdrawals } from '#server/reconciliation/doubt-unsent-withdrawals.ts';
import { applyCustodyEvent } from '#server/withdrawals/apply-custody-event.ts';
import { openContradiction } from '#server/withdrawals/open-contradiction.ts';

/** A transfer that moves coins and of which our database knows nothing, or knows that it was not sent. */
export interface OlderEvidence {
  readonly transfer: CustodyTransfer;
  readonly belief: OurTransfer['belief'] | 'unknown';
}

/**
 * Our own memory is older than the world. In one transaction: look-up only (no claim, no resend, no cancel, no void), every
 * row that says "not sent" is in doubt by an attempt of unknown outcome, and every transfer without a row opens a case. Seen
 * again, the same transfers begin nothing: two people have looked at them, or are about to.
 *
 * @returns how many rows came into doubt; null when nothing of it was new
 */
export async function beginLookUpOnly(
  deps: { db: Database; custody: CustodyPort; times: ProtocolTimes },
  input: { runId: string; older: readonly OlderEvidence[] },
): Promise<{ rows: number } | null> {
  const { older, runId } = input;
  const began = await deps.db.transaction(async (tx) => {
    const known = await tx.query<{ transfer_id: string }>(findEvidenceSql, [older.map((one) => one.transfer.id)]);
    const isKnown = new Set(known.map((row) => row.transfer_id));
    const fresh = older.filter((one) => !isKnown.has(one.transfer.id));
    if (fresh.length === 0) return null;
    const reason = `custody has ${fresh.length} transfers that our database does not know as sent`;
    const [spell] = await tx.query<{ id: string; is_new: boolean }>(beginSpellSql, [
      reason,
      deps.custody.site.provider,
      deps.custody.site.account,
      deps.times.notAfterMs,
    ]);
    if (spell === undefined) throw new Error('a spell of look-up only is open');
    await tx.query(keepEvidenceSql, [
      spell.id,
      fresh.map((one) => one.transfer.id),
      fresh.map((one) => one.transfer.externalId),
      fresh.map((one) => one.belief),
    ]);
    for (const one of fresh) await openCaseOf({ ...deps, db: tx }, one);
    const { rows } = await doubtUnsentWithdrawals({ db: tx }, { runId });
    if (spell.is_new) {
      const after = { reason, rows, runId };
      await appendAudit(
        { db: tx },
        { actorId: 'reconciliation', action: 'mode.look_up_only', subject: spell.id, before: null, after },
      );
    }
    return { rows, reason };
  });
  if (began === null) return null;
  logger().error('memory.older', new Error(began.reason), { runId, rows: began.rows });
  return { rows: began.rows };
}

async function openCaseOf(deps: { db: Db; custody: CustodyPort; times: ProtocolTimes }, one: OlderEvidence) {
  const { transfer, belief } = one;
  if (belief === 'ended_without') {
    // The row's own case, with the late booking where its hold was given back.
    const fact = { transfer, site: deps.custody.site, source: 'look_up', sourceId: 'reconciliation', attempt: null };
    await applyCustodyEvent(deps, { ...fact, source: 'look_up' });
    return;
  }
  if (belief !== 'unknown') return;
  const { id: transferId, externalId, asset, network, amount, status } = transfer;
  const evidence = { transferId, externalId, asset, network, amount, status };
  await openContradiction(deps, { kind: 'transfer_unknown_here', about: transferId, withdrawal: null, evidence });
}

const findEvidenceSql: Statement = {
  name: 'find_look_up_only_evidence',
  text: 'select transfer_id from look_up_only_evidence where transfer_id = any($1::text[])',
};

// The settings row is locked first, so that two who find it out at once make one spell.
const beginSpellSql: Statement = {
  name: 'begin_look_up_only',
  text: `
    with settings as (
      update protocol_settings set mode = 'look_up_only', mode_reason = coalesce(case when mode = 'look_up_only' then mode_reason end, $1),
        mode_since = case when mode = 'look_up_only' then mode_since else protocol_now() end
      returning id
    ), begun as (
      insert into look_up_only_spells (reason, provider, provider_account, not_after)
      select $1, $2, $3, $4::float8 * interval '1 millisecond' from settings
      where not exists (select 1 from look_up_only_spells s where s.ended_at is null)
      on conflict do nothing returning id
    )
    select id, true as is_new from begun
    union all
    select s.id, false from look_up_only_spells s where s.ended_at is null and not exists (select 1 from begun)`,
};

const keepEvidenceSql: Statement = {
  name: 'keep_look_up_only_evidence',
  text: `
    insert into look_up_only_evidence (transfer_id, spell_id, reference, belief)
    select e.transfer_id, $1::bigint, e.reference, e.belief
    from unnest($2::text[], $3::text[], $4::text[]) as e(transfer_id, reference, belief) on conflict do nothing`,
};
