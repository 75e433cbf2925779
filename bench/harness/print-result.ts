import type { BenchResult } from './bench-result.ts';

/** The goals as a Markdown table: what was promised, what came out, and between what it lay. */
export function goalTable(result: BenchResult): string {
  const rows = result.goals.map(
    ({ title, is, aim, unit, ratio, met }) =>
      `| ${title} | ${ratio.median} ${unit} (${ratio.min} to ${ratio.max}) | ${is === 'at_least' ? '≥' : '≤'} ${aim} ${unit} | ${met ? 'met' : '**missed**'} |`,
  );
  return ['| paired ratios | measured | aim | |', '|---|---|---|---|', ...rows].join('\n');
}

/** Every contestant with its rate and its CPU, group by group. */
export function contestantTables(result: BenchResult): string {
  return result.groups
    .map(({ name, contestants }) => {
      const rows = contestants.map((one) => {
        const cpu = Object.entries(one.cpuMsEach).map(([process, ms]) => `${process} ${ms}`);
        const latency = one.latencyMs === null ? '' : `${one.latencyMs.median} ms`;
        const { median, min, max } = one.perSecond;
        return `| ${one.name} | ${median} (${min} to ${max}) | ${latency} | ${cpu.join(', ')} | ${one.how} |`;
      });
      return [
        `### ${name}`,
        '',
        '| who | a second | p50 | CPU each, ms | how |',
        '|---|---|---|---|---|',
        ...rows,
      ].join('\n');
    })
    .join('\n\n');
}

export function describeMachine({ at, commit, machine }: BenchResult): string {
  const quiet =
    machine.loadBefore < machine.cpus / 4 ? 'quiet' : `busy (load ${machine.loadBefore} before the first round)`;
  return `${at.slice(0, 10)}, commit ${commit}, ${machine.cpus} × ${machine.model}, Node ${machine.node}, ${quiet}; medians of the rounds, and what they lay between`;
}

/** `bench: 5/7` */
export function lastLine({ goals }: BenchResult): string {
  return `bench: ${goals.filter(({ met }) => met).length}/${goals.length}`;
}
