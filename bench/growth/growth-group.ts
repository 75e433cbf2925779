import { createDatabase } from '#server/db/database.ts';
import { closeBalances } from '#server/ledger/close-balances.ts';
import { createAcceptanceBatch } from '#server/withdrawals/acceptance-batch.ts';
import { findAssetCatalogue } from '#server/withdrawals/find-asset-catalogue.ts';
import type { Life } from '#stack/life.mjs';
import { anAcceptanceCall } from '../acceptance/acceptance-calls.ts';
import { type BenchHouse, openBenchHouse } from '../harness/bench-house.ts';
import type { BenchWorld } from '../harness/bench-world.ts';
import type { Contestant, Group } from '../harness/contestant.ts';
import type { Goal } from '../harness/goals.ts';
import { keepBusy, measure } from '../harness/measure.ts';
import { fillHouse } from './fill-house.ts';
import { LOOKS, type Looked, type Sample } from './looks.ts';

type Deps = { life: Life; log: (line: string) => void };

/** The first day: enough that every page is full, so that both houses show as much. */
const YOUNG_ROWS = 20_000;
const IN_FLIGHT = 32;
const GROUP = 'growth';
/** How much longer anything may take in the old house. */
const AIM = 1.25;

export interface GrowthGroup extends Group {
  /** Bytes of each table and of its indexes in the old house. */
  sizes(): Promise<{ table: string; tableBytes: number; indexBytes: number }[]>;
}

/** Every look and the acceptance in two houses that differ in the length of their history alone. */
export async function openGrowthGroup(deps: Deps, world: BenchWorld, input: { rows: number }): Promise<GrowthGroup> {
  const { postgres } = world.pids;
  const open = async (name: string, rows: number) => {
    const house = await openBenchHouse(await world.createDatabase(name));
    await fillHouse({ log: deps.log, signal: deps.life.signal }, { url: house.url, rows });
    await close(house.url);
    await house.run('vacuum analyze');
    return { house, looked: await openLooked(house) };
  };
  const young = await open('bench_young', YOUNG_ROWS);
  const old = await open('bench_old', input.rows);
  const of = ({ house, looked }: typeof young, suffix: string): Contestant[] => [
    accepting(house, `acceptance${suffix}`, postgres),
    ...Object.entries(LOOKS).map(([name, look]) => looking(`${name}${suffix}`, () => look(looked), postgres)),
  ];
  const [before, after] = [of(young, ', young'), of(old, ', old')];
  return {
    name: GROUP,
    // Neighbours in time, too.
    contestants: before.flatMap((one, index) => [one, after[index] ?? one]),
    sizes: () => old.house.run(SIZES),
    close: async () => {
      await young.house.close();
      await old.house.close();
      for (const name of ['bench_young', 'bench_old']) await world.dropDatabase(name);
    },
  };
}

/** What the product's ledger loop does by itself. Its first time over millions of entries takes minutes. */
async function close(url: string): Promise<void> {
  const db = createDatabase({ url, max: 1, applicationName: 'cryptoex-bench-close', queryTimeoutMs: 1_800_000 });
  await closeBalances({ db });
  await db.close();
}

/** One goal a look: in the old house it takes at most a quarter longer. */
export function growthGoals(): Goal[] {
  const goal = (name: string, of: Goal['of']): Goal => ({
    id: `growth_${of}_${name.replaceAll(/[^a-z]+/g, '_')}`,
    title: `${name}${of === 'cpu' ? ', CPU each' : ''}`,
    group: GROUP,
    of,
    ours: `${name}, old`,
    theirs: `${name}, young`,
    is: 'at_most',
    aim: AIM,
  });
  return [
    goal('acceptance', 'latency'),
    goal('acceptance', 'cpu'),
    ...Object.keys(LOOKS).map((name) => goal(name, 'latency')),
  ];
}

function accepting(house: BenchHouse, name: string, postgres: number): Contestant {
  const accept = createAcceptanceBatch({ db: house.db });
  const anybody = () => house.customers[Math.floor(Math.random() * house.customers.length)] ?? '';
  return {
    name,
    how: `${IN_FLIGHT} in flight, gathered as the product gathers them`,
    run: (milliseconds) =>
      measure({ postgres }, async () => {
        const latencyMs: number[] = [];
        const operations = await keepBusy({ inFlight: IN_FLIGHT, milliseconds: milliseconds * 4 }, async () => {
          const startedAt = performance.now();
          const row = await accept(anAcceptanceCall(anybody()));
          if (row.outcome !== 'new' || row.refusal_code !== null) throw new Error(`accepted as ${row.refusal_code}`);
          latencyMs.push(performance.now() - startedAt);
        });
        return { operations, latencyMs };
      }),
  };
}

function looking(name: string, look: () => Promise<unknown>, postgres: number): Contestant {
  return {
    name,
    how: 'one after the other',
    run: (milliseconds) =>
      measure({ postgres }, async () => {
        const latencyMs: number[] = [];
        const operations = await keepBusy({ inFlight: 1, milliseconds }, async () => {
          const startedAt = performance.now();
          await look();
          latencyMs.push(performance.now() - startedAt);
        });
        return { operations, latencyMs };
      }),
  };
}

async function openLooked(house: BenchHouse): Promise<Looked> {
  const samples = await house.run<Sample>(
    `select id, customer_id, address, transaction_hash from (
       select * from withdrawals where status = 'completed' order by md5(id::text) limit 500) s`,
  );
  let at = 0;
  return {
    house,
    catalogue: await findAssetCatalogue({ db: house.db }),
    next: () => {
      at = (at + 1) % samples.length;
      const sample = samples[at];
      if (sample === undefined) throw new Error('nothing to look for');
      return sample;
    },
  };
}

const SIZES = `
  select c.relname as table, pg_table_size(c.oid)::float8 as "tableBytes", pg_indexes_size(c.oid)::float8 as "indexBytes"
  from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
  order by pg_total_relation_size(c.oid) desc limit 14`;
