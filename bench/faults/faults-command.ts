import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Life } from '#stack/life.mjs';
import { PROJECT_ROOT } from '#stack/project-root.ts';
import { DOOR_BUNDLES } from '../door/door-group.ts';
import { commitOf } from '../harness/bench-result.ts';
import { startBenchWorld } from '../harness/bench-world.ts';
import { installPeers } from '../harness/install-peers.ts';
import { replaceTable } from '../harness/readme-table.ts';
import { PEER_BUNDLES, PIPELINE_BUNDLES } from '../pipeline/pipeline-group.ts';
import { openFaultStage } from './fault-stage.ts';
import { RIVALS } from './rival.ts';
import { type RivalResult, runRival } from './run-rival.ts';

type Deps = { life: Life; log: (line: string) => void };

/** One that promises most, and one that remembers a key for a while and no reference. */
const PROFILES = ['replays', 'no_permanent_reference'];

/**
 * `npm run bench -- --faults`: the same faults against everybody, by one schedule, counted in custody's log. Six to eight minutes.
 *
 * @returns whether ours paid once, lost nothing and said the truth
 */
export async function runFaults(
  deps: Deps,
  input: { seed: number; profiles: readonly string[] | null; rivals: readonly string[] | null },
): Promise<boolean> {
  const world = await startBenchWorld(deps, {
    bundles: { ...DOOR_BUNDLES, worker: PIPELINE_BUNDLES.worker, 'mock-custody': 'mock-custody/main.ts' },
    peerBundles: { ...PEER_BUNDLES, 'peer-worker': 'bench/faults/peer-worker-process.ts' },
  });
  await installPeers(deps);
  const stage = await openFaultStage(deps, world);
  const rivals = RIVALS.filter(({ name }) => input.rivals === null || input.rivals.includes(name));
  const results: RivalResult[] = [];
  for (const profile of input.profiles ?? PROFILES)
    for (const rival of rivals)
      results.push(
        await runRival({ log: deps.log, signal: deps.life.signal }, stage, { rival, profile, seed: input.seed }),
      );
  const about = `${new Date().toISOString().slice(0, 10)}, commit ${commitOf()}, seed ${input.seed}`;
  const table = fateTable(results);
  console.log(`\n${about}\n\n${table}\n`);
  // A part would write over the whole.
  if (input.profiles === null && input.rivals === null) keep({ about, table, results });
  const ours = results.filter(({ rival }) => rival === 'ours');
  return ours.every(({ doubled, unpaid, wrong }) => doubled + unpaid + wrong === 0);
}

function fateTable(results: readonly RivalResult[]): string {
  const seconds = (ms: number) => (ms / 1_000).toFixed(1);
  const rows = results.map((one) => {
    const { afterMs } = one;
    const times = afterMs === null ? '' : `${seconds(afterMs.p50)} / ${seconds(afterMs.p95)} / ${seconds(afterMs.max)}`;
    const { profile, rival, accepted, doubled, unpaid, unknown, wrong } = one;
    return `| \`${profile}\` | ${rival} | ${accepted} | ${doubled} | ${unpaid} | ${unknown} | ${wrong} | ${times} |`;
  });
  return [
    '| provider | who | accepted | double transfers | never sent | sent, and not known | wrong | resolved after, s: p50 / p95 / max |',
    '|---|---|---|---|---|---|---|---|',
    ...rows,
  ].join('\n');
}

function keep(input: { about: string; table: string; results: readonly RivalResult[] }): void {
  const folder = join(PROJECT_ROOT, 'bench', 'results');
  mkdirSync(folder, { recursive: true });
  const { about, table, results } = input;
  writeFileSync(join(folder, 'faults.json'), `${JSON.stringify({ about, results }, null, 1)}\n`);
  const hows = RIVALS.map(({ name, how }) => `- ${name}: ${how}.`).join('\n');
  writeFileSync(join(folder, 'faults.md'), `# The same faults against everybody\n\n${about}.\n\n${table}\n\n${hows}\n`);
  const readme = join(PROJECT_ROOT, 'bench', 'README.md');
  writeFileSync(readme, replaceTable(readFileSync(readme, 'utf8'), `${table}\n\n${about}.`, 'bench -- --faults'));
}
