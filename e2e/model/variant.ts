import type { BrokenPromise } from './find-violation.ts';
import { PLAIN_WORLD, PROTOCOL, type Rules, type Setting, type World } from './setting.ts';

export interface Variant {
  readonly name: string;
  /** What this variant shows, for a reader of the table. */
  readonly why: string;
  /**
   * `safe`: explored to the end, no promise broken, and every state can still reach an end.
   * Otherwise the promises one of which the shortest counterexample must break.
   */
  readonly expects: 'safe' | readonly BrokenPromise[];
  readonly world: Partial<World>;
  /** What is weakened in our own rules; nothing where the world alone is to blame. */
  readonly rules?: Partial<Rules>;
}

export function settingOf(variant: Variant): Setting {
  return { rules: { ...PROTOCOL, ...variant.rules }, world: { ...PLAIN_WORLD, ...variant.world } };
}
