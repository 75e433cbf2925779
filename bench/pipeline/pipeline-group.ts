import type { Life } from '#stack/life.mjs';
import { openSessions } from '../door/door-session.ts';
import { openBenchHouse } from '../harness/bench-house.ts';
import type { BenchWorld } from '../harness/bench-world.ts';
import type { Group } from '../harness/contestant.ts';
import { installPeers } from '../harness/install-peers.ts';
import { BARE_SCHEMA } from './bare.sql.ts';
import { type PeerName, startBare } from './bare-contestant.ts';
import { startOurs } from './our-contestant.ts';
import { tidyHouse } from './tidy-house.ts';

type Deps = { life: Life; log: (line: string) => void };

export const PIPELINE_BUNDLES = { custody: 'bench/pipeline/custody-process.ts', worker: 'worker/main.ts' };
export const PEER_BUNDLES = {
  'bare-door': 'bench/pipeline/bare-door-process.ts',
  'bare-worker': 'bench/pipeline/bare-worker-process.ts',
};

/**
 * From the click to the row that says that custody has it, and with us until custody's event is applied: the product beside a
 * bare pipeline and beside the queues that other people would take. Same Postgres, Redis, provider and load.
 *
 * @param input.delayMs how long the provider takes for an answer
 * @param input.quiet latency of one at a time, in place of throughput
 */
export async function openPipelineGroup(
  deps: Deps,
  world: BenchWorld,
  input: { name: string; delayMs: number; peers: readonly PeerName[]; quiet?: boolean },
): Promise<Group> {
  if (input.peers.some((name) => name !== 'bullmq')) await installPeers(deps);
  const house = await openBenchHouse(await world.createDatabase(`bench_${input.name.replaceAll(/[^a-z0-9]/g, '_')}`));
  await house.run(BARE_SCHEMA);
  await house.run('insert into bare_balances select unnest($1::uuid[]), 1e30', [house.customers]);
  const cookies = await openSessions(house, house.customers);
  await house.run('analyze sessions');
  const custodyFor = async (hooks: Record<string, string>) => {
    const custody = await world.start('custody', hooks);
    await fetch(`${custody.url}/delay?ms=${input.delayMs}`, { method: 'PUT' });
    return custody;
  };
  const custody = await custodyFor({});
  const bare: Awaited<ReturnType<typeof startBare>>[] = [];
  for (const name of input.peers) bare.push(await startBare({ world, house, custody, cookies }, name));
  const ours = await startOurs({ world, house, custody, cookies }, custodyFor);
  return {
    name: input.name,
    contestants: input.quiet
      ? [ours.quiet, ours.dispatch, ...bare.map(({ quiet }) => quiet)]
      : [ours.contestant, ...bare.map(({ contestant }) => contestant)],
    tidy: () => tidyHouse(house),
    close: async () => {
      for (const one of [ours, ...bare]) await one.stop();
      await custody.stop();
      await house.close();
    },
  };
}
