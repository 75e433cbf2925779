import type { ProofResult } from './proof-result.ts';

const VIOLATIONS_SHOWN = 40;

/** The table that a run ends with, and its last line. */
export function printResult(result: ProofResult): string {
  const { reach } = result;
  const rows: [string, string][] = [
    ['seed', String(result.seed)],
    ['duration', `${Math.round(result.durationMs / 1_000)} s`],
    ['clicks / calls', `${result.operations.clicks} / ${result.operations.calls}`],
    ['withdrawals by status', listOf(result.operations.byStatus)],
    ['deeds of the nemesis', listOf(result.faults.nemesis)],
    ['faults of custody', listOf(result.faults.custody)],
    ['fault points struck', listOf(result.faults.faultPoints)],
    ['network', listOf(result.faults.network)],
    [
      'process starts',
      `${result.processStarts}${result.crashes.length > 0 ? `; not ordered: ${result.crashes.length}` : ''}`,
    ],
    [
      'fault points',
      `${reach.faultPoints.reached}/${reach.faultPoints.of} reached, ${reach.faultPoints.struck} struck`,
    ],
    ['transitions', `${reach.transitions.reached}/${reach.transitions.of}`],
    ['kinds of custody fault', `${reach.custodyFaults.reached}/${reach.custodyFaults.of}`],
    ['acts', `${result.acts.filter(({ failed }) => failed === null).length}/${result.acts.length} as written`],
    ...result.measured.map(({ name, ms, promisedMs }): [string, string] => [
      name,
      `${(ms / 1_000).toFixed(1)} s, promised ${(promisedMs / 1_000).toFixed(1)} s`,
    ]),
    ['replays answered', String(result.replaysAnswered)],
    ['duplicates prevented', listOf(result.duplicatesPrevented)],
    ['in review', listOf(result.inReview)],
    ['done by people', listOf(result.byPeople)],
    ['excused by a lie of custody', String(result.excused)],
    ['double transfers', String(result.doubleTransfers)],
    ['lost', String(result.lost)],
    ['unresolved', String(result.unresolved.length)],
    ['ledger difference', listOf(result.ledgerDifference)],
  ];
  const width = Math.max(...rows.map(([name]) => name.length));
  const table = rows.map(([name, value]) => `  ${name.padEnd(width)}  ${value}`);
  const violations = result.violations
    .slice(0, VIOLATIONS_SHOWN)
    .map(({ promise, about, detail }) => `  BROKEN ${promise}: ${about}: ${detail}`);
  const crashes = [...new Set(result.crashes)].slice(0, 10).map((crash) => `  not ordered: ${crash}`);
  const verdict =
    `proof: ${result.withdrawals} withdrawals, ${result.faults.total} faults, ${result.doubleTransfers} double transfers, ` +
    `${result.lost} lost, ${result.unresolved.length} unresolved`;
  return [
    '',
    ...table,
    ...crashes,
    ...violations,
    result.passed ? '' : `  ${result.violations.length} promises broken`,
    verdict,
  ].join('\n');
}

function listOf(counts: Readonly<Record<string, number | string>>): string {
  const entries = Object.entries(counts);
  if (entries.length === 0) return 'none';
  return entries.map(([name, count]) => `${name} ${count}`).join(', ');
}
