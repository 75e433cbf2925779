import type { Measured } from './acts/act.ts';
import type { PlayedAct } from './acts/play-acts.ts';
import { checkCustomers } from './checker/check-customers.ts';
import { checkPayments } from './checker/check-payments.ts';
import { checkRows } from './checker/check-rows.ts';
import type { Facts } from './checker/facts.ts';
import { countFaults, countStrikes, measureReach } from './checker/reach.ts';
import type { Violation } from './checker/violation.ts';
import type { FaultChoice } from './nemesis/run-nemesis.ts';
import { PHASES } from './phases.ts';
import type { ProofResult } from './proof-result.ts';
import type { OpenRow } from './settle.ts';
import type { History } from './workload/history.ts';

export interface Run {
  readonly seed: number;
  readonly faultsChosen: string;
  readonly choice: FaultChoice;
  readonly history: History;
  readonly facts: Facts;
  readonly pointsFile: string;
  readonly deeds: ReadonlyMap<string, number>;
  readonly network: Readonly<Record<string, number>>;
  readonly acts: readonly PlayedAct[];
  readonly measured: readonly Measured[];
  readonly unresolved: readonly OpenRow[];
  readonly byPeople: Readonly<Record<string, number>>;
  readonly processStarts: number;
  readonly crashes: readonly string[];
  readonly durationMs: number;
}

/** Judges a run by what it left behind. Everything it was promised holds, or it has not passed. */
export function judgeRun(run: Run): ProofResult {
  const { facts, history } = run;
  const payments = checkPayments(facts);
  const customers = checkCustomers(facts, history);
  const reach = measureReach(run);
  const review = checkReview(run);
  const violations: Violation[] = [
    ...payments.violations,
    ...customers.violations,
    ...checkRows(facts),
    ...run.unresolved.map(
      ({ id, status, waitReason }): Violation => ({
        promise: 'nothing is left unresolved',
        about: id,
        detail: `${status} ${waitReason}`,
      }),
    ),
    ...review.violations,
    ...run.acts.flatMap(({ name, failed }): Violation[] =>
      failed === null ? [] : [{ promise: 'every act came to its end', about: name, detail: failed }],
    ),
    ...run.measured
      .filter(({ ms, promisedMs }) => ms > promisedMs)
      .map(
        ({ name, ms, promisedMs }): Violation => ({
          promise: 'it ends in time',
          about: name,
          detail: `${ms} ms, promised ${promisedMs} ms`,
        }),
      ),
    // Only a run that does everything can be asked whether it came by everything.
    ...(run.faultsChosen === 'all'
      ? [reach.faultPoints, reach.transitions, reach.custodyFaults].flatMap(({ what, missing }) =>
          missing.map((about): Violation => ({ promise: 'everything was reached', about, detail: what })),
        )
      : []),
  ];
  const custody = Object.fromEntries(countFaults(facts));
  const faultPoints = Object.fromEntries(countStrikes(run.pointsFile));
  const nemesis = Object.fromEntries(run.deeds);
  const sum = (counts: Readonly<Record<string, number>>) =>
    Object.values(counts).reduce((total, one) => total + one, 0);
  const keys = new Set(history.intents.map(({ idempotencyKey }) => idempotencyKey));
  const rows = facts.withdrawals.filter(({ idempotencyKey }) => keys.has(idempotencyKey));
  return {
    passed: violations.length === 0,
    seed: run.seed,
    faultsChosen: run.faultsChosen,
    withdrawals: rows.length,
    operations: {
      clicks: history.intents.length,
      calls: history.calls,
      byStatus: countBy(rows, ({ status }) => status),
    },
    faults: {
      total: sum(custody) + sum(faultPoints) + sum(nemesis),
      nemesis,
      custody,
      faultPoints,
      network: run.network,
    },
    reach,
    acts: run.acts,
    measured: run.measured,
    replaysAnswered: history.intents.flatMap(({ answers }) => answers).filter(({ replayed }) => replayed === true)
      .length,
    duplicatesPrevented: countPrevented(run),
    doubleTransfers: payments.doubles,
    excused: payments.excused,
    lost: customers.lost,
    unresolved: run.unresolved,
    inReview: review.counts,
    byPeople: run.byPeople,
    ledgerDifference: facts.ledger.differenceByAsset,
    processStarts: run.processStarts,
    crashes: run.crashes,
    violations,
    durationMs: run.durationMs,
  };
}

function checkReview({ facts, history }: Run): { counts: Record<string, number>; violations: Violation[] } {
  const phaseOf = new Map(history.intents.map(({ idempotencyKey, phase }) => [idempotencyKey, phase]));
  const ended = new Set(['completed', 'failed', 'cancelled', 'rejected', 'refused']);
  const waiting = facts.withdrawals.filter((row) => row.parkedReason !== null && !ended.has(row.status));
  const counts = countBy(waiting, (row) => `${phaseOf.get(row.idempotencyKey)} ${row.parkedReason}`);
  const violations = PHASES.flatMap(({ profile, review }): Violation[] => {
    const clicks = history.intents.filter(({ phase }) => phase === profile).length;
    const parked = waiting.filter((row) => phaseOf.get(row.idempotencyKey) === profile);
    const isAllowed = parked.every(({ parkedReason }) => review.reasons.includes(parkedReason ?? ''));
    if (isAllowed && parked.length <= Math.ceil(clicks * review.shareMax)) return [];
    const detail = `${parked.length} of ${clicks}: ${parked.map((row) => `${row.id} ${row.parkedReason}`).join(', ')}`;
    return [{ promise: 'review only where nothing else is left', about: profile, detail }];
  });
  return { counts, violations };
}

function countPrevented({ facts, history }: Run): Record<string, number> {
  const answers = history.intents.flatMap((intent) => intent.answers);
  const sends = facts.attempts.filter(({ kind }) => kind === 'send').length;
  const outcomes = countBy(facts.custodyRequests, ({ outcome }) => outcome);
  return {
    'the key at our door': answers.filter(
      ({ replayed, code }) => replayed === true || code === 'idempotency_key_reused',
    ).length,
    'our row, looked up in place of sent again': facts.attempts.length - sends,
    'the key at custody': (outcomes.replayed ?? 0) + (outcomes.in_progress ?? 0),
    'the reference at custody': outcomes.duplicate ?? 0,
    'the not-after at custody': outcomes.expired ?? 0,
  };
}

function countBy<Item>(items: readonly Item[], nameOf: (item: Item) => string): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const item of items) counts[nameOf(item)] = (counts[nameOf(item)] ?? 0) + 1;
  return counts;
}
