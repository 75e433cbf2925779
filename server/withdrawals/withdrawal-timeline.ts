import { formatAmount } from '#domain/money.ts';
import { detailText, type Evidence } from '#server/withdrawals/find-evidence.ts';

export interface TimelineEntry {
  at: string;
  kind: 'history' | 'attempt' | 'event' | 'ledger' | 'chain';
  title: string;
  detail: string | null;
}

/** Everything that happened to a withdrawal, one line each, in the order of time. */
export function timelineOf(evidence: Evidence, decimals: number): TimelineEntry[] {
  const entries = [
    ...evidence.history.map((move) =>
      entry(
        move.at,
        'history',
        move.from === null ? move.to : `${move.from} → ${move.to}`,
        join([`${move.actorName ?? move.actor}: ${move.reason}`, move.note]),
      ),
    ),
    ...evidence.attempts.flatMap(attemptEntries),
    ...evidence.events.map((event) =>
      entry(event.receivedAt, 'event', event.type, join([event.outcome ?? 'waiting', event.reason])),
    ),
    ...evidence.ledger.map((leg) =>
      entry(leg.at, 'ledger', leg.kind, `${formatAmount(leg.amountMinor, decimals)}: ${leg.debit} → ${leg.credit}`),
    ),
    ...evidence.transactions.flatMap((transaction) => [
      entry(transaction.at, 'chain', 'transaction named', join([transaction.hash, transaction.source])),
      ...(transaction.deadAt === null
        ? []
        : [entry(transaction.deadAt, 'chain', 'transaction dead', join([transaction.hash, transaction.deadReason]))]),
    ]),
    ...evidence.effects.map((effect) =>
      entry(effect.at, 'chain', effect.state, `${effect.hash}, block ${effect.block}`),
    ),
  ];
  // Stable: what has the same time keeps the order of its kind.
  return entries.sort((left, right) => left.at.localeCompare(right.at));
}

function attemptEntries(attempt: Evidence['attempts'][number]): TimelineEntry[] {
  const name = `${attempt.kind} ${attempt.attempt}`;
  const begun = entry(attempt.startedAt, 'attempt', `${name} begun`, attempt.bodySha256);
  if (attempt.outcome === null || attempt.outcomeAt === null) return [begun];
  const late = attempt.lateOutcome === null ? null : `late: ${attempt.lateOutcome}`;
  return [
    begun,
    entry(attempt.outcomeAt, 'attempt', `${name}: ${attempt.outcome}`, join([detailText(attempt.detail), late])),
  ];
}

function join(words: readonly (string | null)[]): string | null {
  const said = words.filter((word) => word !== null);
  return said.length === 0 ? null : said.join(', ');
}

function entry(at: Date, kind: TimelineEntry['kind'], title: string, detail: string | null): TimelineEntry {
  return { at: at.toISOString(), kind, title, detail };
}
