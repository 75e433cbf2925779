import { FAULT_POINTS, type FaultDeed, type FaultPoint } from '#server/fault-points.ts';
import type { SeededRandom } from '../seeded-random.ts';

export const PROVIDERS = ['ok', 'executes then drops', 'executes late', 'refuses', '502', 'lagging look-up'] as const;
export type Provider = (typeof PROVIDERS)[number];
const DEEDS: readonly FaultDeed[] = ['kill', 'stop', 'throw'];
const REDIS = ['kept', 'flushed'] as const;

/** One crash: where, how, in front of which provider, and what becomes of Redis. */
export interface Cell {
  readonly point: FaultPoint;
  readonly deed: FaultDeed;
  readonly provider: Provider;
  readonly redis: (typeof REDIS)[number];
}

/** Every crash that can happen. A resolver is only met by who is in doubt, and it sends again only what was not found. */
export const CELLS: readonly Cell[] = FAULT_POINTS.flatMap((point) =>
  DEEDS.flatMap((deed) =>
    PROVIDERS.filter((provider) => canMeet(point, provider)).flatMap((provider) =>
      REDIS.map((redis): Cell => ({ point, deed, provider, redis })),
    ),
  ),
);

function canMeet(point: FaultPoint, provider: Provider): boolean {
  if (point === 'R3') return provider === '502';
  if (point.startsWith('R')) return provider !== 'ok';
  // A refused transfer has no webhook.
  if (point.startsWith('W')) return provider !== 'refuses';
  return true;
}

/** A sample in which each point comes before any point comes twice. */
export function sampleCells(random: SeededRandom, size: number): Cell[] {
  const byPoint = FAULT_POINTS.map((point) => random.shuffle(CELLS.filter((cell) => cell.point === point)));
  const sample: Cell[] = [];
  for (let round = 0; sample.length < size && round < CELLS.length; round += 1) {
    for (const cells of random.shuffle(byPoint)) {
      const cell = cells[round];
      if (cell !== undefined && sample.length < size) sample.push(cell);
    }
  }
  return sample;
}

export function nameOf({ point, deed, provider, redis }: Cell): string {
  return `${point} ${deed}, provider ${provider}, Redis ${redis}`;
}
