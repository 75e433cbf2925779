import { canonicalChainText } from '#domain/chain-text.ts';
import { differingFields } from '#domain/custody-transfer.ts';
import { findDiscrepancies, judgeMemory, type TheirTransfer } from '#domain/reconciliation.ts';
import type { CustodyPort, CustodyTransfer } from '#server/custody/custody-port.ts';
import type { Database, Statement } from '#server/db/database.ts';
import type { ProtocolTimes } from '#server/protocol-times.ts';
import { beginLookUpOnly, type OlderEvidence } from '#server/reconciliation/begin-look-up-only.ts';
import { findMissingThere } from '#server/reconciliation/find-missing-there.ts';
import { findOurTransfers, type OurRow } from '#server/reconciliation/find-our-transfers.ts';
import { type Finding, keepDiscrepancies } from '#server/reconciliation/keep-discrepancies.ts';
import { applyCustodyEvent } from '#server/withdrawals/apply-custody-event.ts';

const STRICT = { notAfterHonoured: true };

export interface CustodySpan {
  readonly fromMs: number;
  readonly toMs: number;
}

export type ListComparison =
  | { readonly kind: 'compared'; readonly transfers: number; readonly isOlder: boolean }
  | { readonly kind: 'failed'; readonly reason: string };

/**
 * Walks custody's list a page at a time and compares each page with our rows, both ways; holds one page, however long the
 * list. Custody is read before our database: what it showed a moment ago was written down by us before it was sent.
 */
export async function compareCustodyList(
  deps: { db: Database; custody: CustodyPort; times: ProtocolTimes },
  input: { runId: string; span: CustodySpan },
): Promise<ListComparison> {
  const { runId, span } = input;
  let cursor: string | null = null;
  let transfers = 0;
  let isOlder = false;
  do {
    const page = await deps.custody.listTransfers({ ...span, cursor });
    if (page.kind === 'failed') return page;
    const compared = await comparePage(deps, runId, page.transfers);
    isOlder ||= compared.isOlder;
    transfers += page.transfers.length;
    cursor = page.nextCursor;
  } while (cursor !== null);
  await findMissingThere(deps, input);
  return { kind: 'compared', transfers, isOlder };
}

async function comparePage(
  deps: { db: Database; custody: CustodyPort; times: ProtocolTimes },
  runId: string,
  shown: readonly CustodyTransfer[],
): Promise<{ isOlder: boolean }> {
  if (shown.length === 0) return { isOlder: false };
  const theirs = [...shown].sort((a, b) => compareText(a.externalId, b.externalId)).map(toTheirs);
  const ours = await findOurTransfers(deps, { references: theirs.map((one) => one.externalId) });
  const twice = await noteSeen(deps, runId, shown);
  const settled = ours.filter((row) => !isUnderWay(row, theirs));
  const underWay = new Set(ours.filter((row) => !settled.includes(row)).map((row) => row.reference));
  const compared = findDiscrepancies(
    settled,
    theirs.filter((one) => !underWay.has(one.externalId)),
  );
  const findings = [...compared.map(toFinding), ...twice];
  await keepDiscrepancies(deps, { runId, findings });
  const surprises = await findSurprises(deps, ours, shown);
  for (const { transfer } of surprises.contradicted) await applyContradiction(deps, transfer);
  if (surprises.older.length === 0) return { isOlder: false };
  return { isOlder: (await beginLookUpOnly(deps, { runId, older: surprises.older })) !== null };
}

/** Custody shows what it denied before: proof is applied wherever it comes, with a case, and the rest of the house goes on. */
async function applyContradiction(
  deps: { db: Database; custody: CustodyPort; times: ProtocolTimes },
  transfer: CustodyTransfer,
): Promise<void> {
  const fact = {
    transfer,
    site: deps.custody.site,
    source: 'look_up',
    sourceId: 'reconciliation',
    attempt: null,
  } as const;
  await deps.db.transaction((tx) => applyCustodyEvent({ db: tx, times: deps.times }, fact));
}

/** What custody has failed and we have not ended yet waits for the proof that no transaction of it can pay. */
function isUnderWay(row: OurRow, theirs: readonly TheirTransfer[]): boolean {
  if (row.status !== 'submitted' && row.status !== 'broadcast') return false;
  const shown = theirs.filter((one) => one.externalId === row.reference);
  return shown.length === 1 && shown.every((one) => !one.moves && differingFields(row, one).length === 0);
}

/** Transfers that our rows did not expect: denied by custody before, or made by nothing that we remember. */
async function findSurprises(
  deps: { custody: CustodyPort },
  ours: readonly OurRow[],
  shown: readonly CustodyTransfer[],
): Promise<Readonly<Record<'contradicted' | 'older', readonly OlderEvidence[]>>> {
  const rows = new Map(ours.map((row) => [row.reference, row]));
  const strict = shown.filter((one) => judgeMemory(rows.get(one.externalId), toTheirs(one), STRICT) !== 'explained');
  if (strict.length === 0) return { contradicted: [], older: [] };
  // What cannot be asked just now has promised its not-after: fewer transfers are explained by what we remember.
  const custody = (await deps.custody.capabilities()) ?? STRICT;
  const judged = strict.map((transfer) => {
    const row = rows.get(transfer.externalId);
    const evidence: OlderEvidence = { transfer, belief: row?.belief ?? 'unknown' };
    return { evidence, verdict: judgeMemory(row, toTheirs(transfer), custody) };
  });
  const of = (wanted: string) => judged.filter(({ verdict }) => verdict === wanted).map(({ evidence }) => evidence);
  return { contradicted: of('contradicted'), older: of('older') };
}

function toTheirs(transfer: CustodyTransfer): TheirTransfer {
  const { status, final } = transfer;
  return { ...transfer, moves: status !== 'refused' && !(status === 'failed' && final) };
}

function toFinding(found: ReturnType<typeof findDiscrepancies>[number]): Finding {
  const { kind, reference, ...rest } = found;
  const withdrawalId = 'withdrawalId' in rest ? rest.withdrawalId : null;
  return { books: 'ours_custody', kind, subject: reference, withdrawalId, detail: rest };
}

/** Writes a page down, so that a reference which comes again on a later page is found to be there twice. */
async function noteSeen(
  deps: { db: Database },
  runId: string,
  shown: readonly CustodyTransfer[],
): Promise<readonly Finding[]> {
  const rows = await deps.db.query<{ reference: string; ids: string[] }>(noteSeenSql, [
    runId,
    JSON.stringify(
      shown.map(({ externalId, id, network, status, final, transactions }) => ({
        reference: externalId,
        transfer_id: id,
        network_id: network,
        confirmed: status === 'confirmed' && final,
        open: !final,
        hashes: transactions.map((transaction) => canonicalChainText(transaction.hash)),
      })),
    ),
  ]);
  return rows.map(({ reference, ids }) => ({
    books: 'ours_custody',
    kind: 'twice',
    subject: reference,
    withdrawalId: null,
    detail: { transferIds: ids },
  }));
}

function compareText(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

const noteSeenSql: Statement = {
  name: 'note_reconciliation_seen',
  text: `
    with page as (
      select * from jsonb_to_recordset($2::jsonb) as p(reference text, transfer_id text, network_id text, confirmed boolean, open boolean, hashes text[])
    ), earlier as (
      -- Read before this page is written: only what came on other pages.
      select s.reference, array_agg(s.transfer_id) as ids from reconciliation_seen s
      where s.run_id = $1::bigint and s.reference in (select p.reference from page p) group by 1
    ), noted as (
      insert into reconciliation_seen (run_id, reference, transfer_id, network_id, confirmed, open, hashes)
      select $1::bigint, p.reference, p.transfer_id, p.network_id, p.confirmed, p.open, p.hashes from page p on conflict do nothing
    )
    select e.reference, e.ids || array_agg(p.transfer_id) as ids from earlier e join page p using (reference)
    where p.transfer_id <> all (e.ids) group by e.reference, e.ids`,
};
