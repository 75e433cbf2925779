import { canonicalChainText } from '#domain/chain-text.ts';
import type { Database, Statement } from '#server/db/database.ts';
import { type Finding, keepDiscrepancies } from '#server/reconciliation/keep-discrepancies.ts';
import { openContradiction } from '#server/withdrawals/open-contradiction.ts';

interface FoundRow {
  readonly books: Finding['books'];
  readonly kind: Finding['kind'];
  readonly subject: string;
  readonly withdrawal_id: string | null;
  readonly detail: Record<string, unknown>;
}

// Far more than anybody reads; the rest is found when these are settled.
const FINDINGS_MAX = 1_000;

/**
 * Compares what the chain shows with our rows and with custody's list, on the networks that we read ourselves: a completed
 * withdrawal without its effect, one with two, a credited deposit whose block was read again without it, a final payment from
 * the hot wallet that nobody of us asked for, and a transfer that custody calls confirmed and no block holds.
 */
export async function compareChain(
  deps: { db: Database },
  input: { runId: string; fromMs: number; hotWallets: readonly { network: string; address: string }[] },
): Promise<void> {
  const { runId, hotWallets } = input;
  const rows = await deps.db.query<FoundRow>(compareChainSql, [
    runId,
    new Date(input.fromMs),
    hotWallets.map((wallet) => wallet.network),
    hotWallets.map((wallet) => canonicalChainText(wallet.address)),
    FINDINGS_MAX,
  ]);
  const findings = rows.map(({ withdrawal_id: withdrawalId, ...rest }) => ({ ...rest, withdrawalId }));
  await keepDiscrepancies(deps, { runId, findings });
  for (const { books, kind, subject, detail } of findings) {
    if (books !== 'ours_chain' || kind !== 'missing_here') continue;
    await openContradiction(deps, { kind: 'payment_unknown_here', about: subject, withdrawal: null, evidence: detail });
  }
}

const compareChainSql: Statement = {
  name: 'compare_chain',
  text: `
    with wallets as (
      select w.network_id, w.address from unnest($3::text[], $4::text[]) as w(network_id, address)
    ), paid as (
      select e.* from chain_effects e join wallets h on h.network_id = e.network_id and h.address = e.from_address
      where e.state = 'final' and e.seen_at >= $2 and e.withdrawal_id is null
        -- Contracts that we pay with, and the network's own coin.
        and exists (select 1 from asset_networks n where n.network_id = e.network_id and chain_text(n.contract) is not distinct from e.contract)
    )
    select f.* from (
      select 'ours_chain' as books, 'missing_there' as kind, w.id::text as subject, w.id as withdrawal_id,
        jsonb_build_object('transactionHash', w.transaction_hash) as detail
      from withdrawals w join chain_cursors c on c.network_id = w.network_id
      where w.status = 'completed' and w.ended_at >= $2
        -- Where a network is read again, what stands above the cursor was not looked for yet.
        and not exists (select 1 from chain_effects e where e.id = w.completing_effect_id
          and (e.state <> 'orphaned' or e.block_number > c.block_number))
      union all
      -- However long ago it was credited: it is set aside when its network is taken up again, and people end it in a case.
      select 'ours_chain', 'missing_there', e.transaction_hash || ' ' || e.ordinal, null::uuid,
        jsonb_build_object('effectId', e.id::text, 'customerId', d.customer_id, 'asset', d.asset_id, 'amountMinor', d.amount_minor::text)
      from chain_cursors c join chain_effects e on e.network_id = c.network_id and e.state = 'orphaned' and e.block_number <= c.block_number
      join deposits d on d.effect_id = e.id
      where not exists (select 1 from cases k where k.fingerprint = 'deposit_vanished:' || e.id)
        and not exists (select 1 from reconciliation_discrepancies x join cases k on k.fingerprint = 'found_by_reconciliation:' || x.id
          where x.books = 'ours_chain' and x.kind = 'missing_there' and x.subject = e.transaction_hash || ' ' || e.ordinal and k.closed_at is not null)
      union all
      select 'ours_chain', 'twice', e.withdrawal_id::text, e.withdrawal_id, jsonb_build_object('effects', array_agg(e.id order by e.id))
      from chain_effects e where e.withdrawal_id is not null and e.state <> 'orphaned' and e.seen_at >= $2
      group by e.withdrawal_id having count(*) > 1
      union all
      select 'ours_chain', case when t.withdrawal_id is null then 'missing_here' else 'differs' end,
        p.transaction_hash || ' ' || p.ordinal, t.withdrawal_id,
        jsonb_build_object('transactionHash', p.transaction_hash, 'contract', p.contract, 'to', p.to_address, 'amountMinor', p.amount_minor::text)
      from paid p left join withdrawal_transactions t on t.transaction_hash = p.transaction_hash
      where not exists (select 1 from chain_effects e where e.withdrawal_id = t.withdrawal_id and e.transaction_hash = p.transaction_hash
        and e.state <> 'orphaned')
        -- Named a moment ago: custody's next word ties it.
        and p.seen_at < protocol_now() - interval '1 minute'
      union all
      select 'custody_chain', 'missing_there', s.reference, w.id, jsonb_build_object('transferId', s.transfer_id, 'hashes', s.hashes)
      from reconciliation_seen s join chain_cursors c on c.network_id = s.network_id
      left join withdrawals w on w.idempotency_key::text = s.reference
      where s.run_id = $1::bigint and s.confirmed and c.halted_at is null
        and not exists (select 1 from chain_effects e where e.network_id = s.network_id and e.transaction_hash = any(s.hashes)
          and (e.state <> 'orphaned' or e.block_number > c.block_number))
        and coalesce(w.updated_at < protocol_now() - interval '10 minutes', true)
    ) f limit $5`,
};
