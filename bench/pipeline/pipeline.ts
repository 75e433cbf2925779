import type { BenchHouse } from '../harness/bench-house.ts';
import type { BenchProcess, BenchWorld } from '../harness/bench-world.ts';

/** What a contestant works with. */
export interface Pipeline {
  readonly world: BenchWorld;
  readonly house: BenchHouse;
  readonly custody: BenchProcess;
  readonly cookies: readonly string[];
}
