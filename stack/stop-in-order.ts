import type { Processes } from './processes.ts';

// Whoever asks stops before whoever answers.
const ORDER = [/^(web|worker)/, /^custody(?!-postgres)/, /^chain$/, /^redis$/, /postgres$/];

/** Stops every process that runs, group by group. */
export async function stopInOrder(deps: { processes: Processes; log: (line: string) => void }): Promise<void> {
  for (const group of ORDER) {
    const members = deps.processes
      .list()
      .filter(({ name, state }) => state === 'running' && group.test(name))
      .map(({ name }) => name);
    await Promise.all(members.map(deps.processes.stop));
    if (members.length > 0) deps.log(`stopped ${members.join(', ')}`);
  }
}
