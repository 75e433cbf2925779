import type { CustodyCapabilities } from '#domain/custody-capabilities.ts';
import { type Control, hasLostBytes, type LookUp, mayHaveBeenSent } from '#domain/custody-evidence.ts';
import type { CustodyLookUp, CustodyPort, CustodyTransfer } from '#server/custody/custody-port.ts';
import type { Db } from '#server/db/database.ts';
import { findControlSql } from '#server/sql/find-control.sql.ts';
import type { DispatchRow } from '#server/withdrawals/find-dispatch-row.ts';

export interface LookedUp {
  readonly lookUp: LookUp;
  readonly control: Control;
  /** What was found, with its transactions. */
  readonly transfers: readonly CustodyTransfer[];
}

// Custody's clock and ours may differ; a walk that begins and ends further out misses nothing.
const WALK_MARGIN_MS = 10 * 60_000;
// A browser asks again under an old key for a day or two at most.
const LOST_ROW_AGE_MAX_MS = 48 * 3_600_000;

/**
 * Asks custody for a row's control and then for its transfer, in the way that the provider's declared
 * capabilities allow. Writes nothing.
 */
export async function lookUpTransfer(
  deps: { db: Db; custody: CustodyPort },
  input: { row: DispatchRow; capabilities: CustodyCapabilities },
): Promise<LookedUp> {
  const { row, capabilities } = input;
  const candidate = await findControlCandidate(deps, row);
  if (!capabilities.searchableByReference) return await lookUpByWalk(deps, row, candidate, capabilities);

  // The control goes first: the clock in its answer is custody's before our question begins. The clock in the answer to
  // the question itself may be past a not-after that had not passed when custody looked.
  const control = candidate === null ? null : await deps.custody.findByReference(candidate.reference);
  const asked = await deps.custody.findByReference(row.expected.reference);
  const begun = { ...asked, custodyClockMs: control?.custodyClockMs ?? null };
  const lookUp = toLookUp(deps, row, begun, { kind: 'by_reference' });
  const transfers = asked.kind === 'found' ? asked.transfers : [];
  if (candidate === null || control === null) return { lookUp, transfers, control: { kind: 'never' } };
  const shown = control.kind === 'found' ? control.transfers : [];
  return { lookUp, transfers, control: judgeControl(deps, row, candidate, control.kind, shown, capabilities) };
}

interface ControlCandidate {
  readonly reference: string;
  readonly transferId: string;
  readonly acceptedAtMs: number;
}

async function findControlCandidate(
  deps: { db: Db; custody: CustodyPort },
  row: DispatchRow,
): Promise<ControlCandidate | null> {
  const first = Math.min(...row.sends.filter(mayHaveBeenSent).map((send) => send.startedAtMs), row.now.getTime());
  const { provider, account } = deps.custody.site;
  const [found] = await deps.db.query<{ reference: string; transfer_id: string; submitted_at: Date }>(findControlSql, [
    provider,
    account,
    new Date(first),
  ]);
  if (found === undefined) return null;
  return { reference: found.reference, transferId: found.transfer_id, acceptedAtMs: found.submitted_at.getTime() };
}

/** A lost memory may have sent it long before we found out; under a key that was asked for again, even before our row. */
function earliestLostMs(row: DispatchRow): number {
  return row.requestedAt.getTime() - LOST_ROW_AGE_MAX_MS;
}

async function lookUpByWalk(
  deps: { custody: CustodyPort },
  row: DispatchRow,
  candidate: ControlCandidate | null,
  capabilities: CustodyCapabilities,
): Promise<LookedUp> {
  const nowMs = row.now.getTime();
  const starts = row.sends.map((send) => (hasLostBytes(send) ? earliestLostMs(row) : send.startedAtMs));
  const first = Math.min(...starts, candidate?.acceptedAtMs ?? nowMs, nowMs);
  const span = { fromMs: first - WALK_MARGIN_MS, toMs: nowMs + WALK_MARGIN_MS };
  const walked = await deps.custody.walkTransfers(span);
  const all = walked.kind === 'found' ? walked.transfers : [];
  const transfers = all.filter((transfer) => transfer.externalId === row.expected.reference);
  const lookUp = toLookUp(
    deps,
    row,
    { ...walked, ...(walked.kind === 'found' && { transfers }) },
    {
      kind: 'walk',
      ...span,
      complete: walked.kind !== 'failed',
    },
  );
  if (candidate === null) return { lookUp, transfers, control: { kind: 'never' } };
  const shown = all.filter((transfer) => transfer.externalId === candidate.reference);
  const kind = walked.kind === 'found' && shown.length === 0 ? 'not_found' : walked.kind;
  return { lookUp, transfers, control: judgeControl(deps, row, candidate, kind, shown, capabilities) };
}

function toLookUp(
  deps: { custody: CustodyPort },
  row: DispatchRow,
  asked: CustodyLookUp,
  method: LookUp['method'],
): LookUp {
  const { custodyClockMs, ...answer } = asked;
  return {
    ...deps.custody.site,
    // Read before the question was asked, so never later than it began.
    begunAtMs: row.now.getTime(),
    custodyClockMs,
    method,
    answer: answer.kind === 'found' && answer.transfers.length === 0 ? { kind: 'not_found' } : answer,
  };
}

function judgeControl(
  deps: { custody: CustodyPort },
  row: DispatchRow,
  candidate: ControlCandidate,
  kind: CustodyLookUp['kind'],
  shown: readonly CustodyTransfer[],
  capabilities: CustodyCapabilities,
): Control {
  const { reference, acceptedAtMs } = candidate;
  const nowMs = row.now.getTime();
  if (kind === 'failed') return { kind: 'none' };
  const isThere = shown.some((one) => one.externalId === reference && one.id === candidate.transferId);
  if (isThere) return { ...deps.custody.site, kind: 'found', reference, acceptedAtMs, foundAtMs: nowMs };
  // A reader that lags may not show it yet; that is no alarm.
  if (nowMs - acceptedAtMs <= 2 * capabilities.readLagMs) return { kind: 'none' };
  return { kind: 'missing', reference };
}
