import { setTimeout as sleep } from 'node:timers/promises';
import type { Act } from '../acts/act.ts';
import { ACTS } from '../acts/play-acts.ts';
import type { SeededRandom } from '../seeded-random.ts';
import { CUSTODY_FAULTS, orderOf } from './custody-faults.ts';
import { DEEDS, type Deed, type DeedTools, mendWorld } from './deeds.ts';

export interface FaultChoice {
  readonly deeds: readonly Deed[];
  readonly custodyFaults: typeof CUSTODY_FAULTS;
  readonly faultPoints: boolean;
  readonly acts: readonly Act[];
}

export interface Nemesis {
  /** Faults from now on. */
  begin(): void;
  /** No new ones; resolves when what was broken is mended. */
  pause(): Promise<void>;
  /** How often each deed was done. */
  deeds(): ReadonlyMap<string, number>;
}

// A deed lasts up to 3 s, and two at once are allowed: what breaks in the middle of another break is part of it.
const DEED_EVERY_MS = 1_100;
// About a quarter of all requests meet one.
const CUSTODY_FAULT_EVERY_MS = 700;

/**
 * What `--faults NAME` means: `none`, `all`, `fault points`, `acts`, or the name of a deed, of a custody fault or of an act.
 *
 * @throws on no such name, and names those there are
 */
export function chooseFaults(name: string): FaultChoice {
  const nothing: FaultChoice = { deeds: [], custodyFaults: [], faultPoints: false, acts: [] };
  if (name === 'none') return nothing;
  if (name === 'all') return { deeds: DEEDS, custodyFaults: CUSTODY_FAULTS, faultPoints: true, acts: ACTS };
  if (name === 'fault points') return { ...nothing, faultPoints: true };
  if (name === 'acts') return { ...nothing, acts: ACTS };
  const deeds = DEEDS.filter((deed) => deed.name === name);
  const custodyFaults = CUSTODY_FAULTS.filter(({ kind }) => kind === name);
  const acts = ACTS.filter((act) => act.name === name);
  if (deeds.length + custodyFaults.length + acts.length > 0) return { ...nothing, deeds, custodyFaults, acts };
  const names = [...[...DEEDS, ...ACTS].map((one) => one.name), ...CUSTODY_FAULTS.map(({ kind }) => kind)];
  throw new Error(`--faults ${name}: there is none; all, none, 'fault points', acts, ${names.join(', ')}`);
}

/** Does what the seed says, in an order that comes by everything before it comes by anything twice. */
export function createNemesis(
  tools: DeedTools,
  input: { choice: FaultChoice; signal: AbortSignal; log: (line: string) => void },
): Nemesis {
  const done = new Map<string, number>();
  const { random } = tools;
  const nextDeed = createBag(random.branch('deeds'), input.choice.deeds);
  const nextFault = createBag(random.branch('custody faults'), input.choice.custodyFaults);
  let running: AbortController | null = null;
  let loops: Promise<void>[] = [];

  async function loop(everyMs: number, signal: AbortSignal, step: () => Promise<void>): Promise<void> {
    const open = new Set<Promise<void>>();
    while (!signal.aborted && !input.signal.aborted) {
      const work = step()
        .catch((error: unknown) => input.log(`nemesis: ${error instanceof Error ? error.message : error}`))
        .finally(() => open.delete(work));
      open.add(work);
      if (open.size >= 2) await Promise.race(open);
      await sleep(everyMs, undefined, { signal }).catch(() => undefined);
    }
    await Promise.all(open);
  }

  async function doDeed(): Promise<void> {
    const deed = nextDeed();
    done.set(deed.name, (done.get(deed.name) ?? 0) + 1);
    await deed.run(tools);
  }

  return {
    deeds: () => done,
    begin() {
      running = new AbortController();
      const { signal } = running;
      loops = [];
      if (input.choice.deeds.length > 0) loops.push(loop(DEED_EVERY_MS, signal, doDeed));
      if (input.choice.custodyFaults.length > 0) {
        const strike = () => tools.world.custody.setFault(orderOf(nextFault(), random));
        loops.push(loop(CUSTODY_FAULT_EVERY_MS, signal, strike));
      }
    },
    async pause() {
      running?.abort();
      await Promise.all(loops);
      loops = [];
      await mendWorld(tools);
    },
  };
}

function createBag<Item>(random: SeededRandom, items: readonly Item[]): () => Item {
  let left: Item[] = [];
  return () => {
    if (left.length === 0) left = random.shuffle(items);
    const item = left.pop();
    if (item === undefined) throw new Error('an empty bag');
    return item;
  };
}
