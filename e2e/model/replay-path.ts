import { encodeState } from './encode-state.ts';
import { initialState } from './initial-state.ts';
import { nextSteps } from './next-steps.ts';
import type { NumberList } from './number-list.ts';
import type { Setting } from './setting.ts';
import type { State } from './state.ts';

/**
 * The way to state `at` in words. The search keeps only each state's parent; walking the way again costs a few hundred
 * steps once, keeping words for every state would cost a gigabyte.
 * @param last one step further, where the step itself is the broken promise
 */
export function replayPath(
  setting: Setting,
  numbers: ReadonlyMap<string, number>,
  parents: NumberList,
  at: number,
  last: State | undefined,
): readonly string[] {
  const way: number[] = [];
  for (let number = at; number > 0; number = parents.at(number)) way.unshift(number);
  const path: string[] = [];
  let state = initialState(setting.world);
  const walk = (isWanted: (next: State, key: string) => boolean) => {
    let found: State | undefined;
    nextSteps(state, setting, (words, next) => {
      if (found !== undefined || !isWanted(next, encodeState(next))) return;
      found = next;
      path.push(words);
    });
    if (found === undefined)
      throw new Error('The model does not repeat itself: a step of the search was not found again.');
    state = found;
  };
  for (const number of way) walk((_next, key) => numbers.get(key) === number);
  if (last !== undefined) {
    const lastKey = encodeState(last);
    walk((_next, key) => key === lastKey);
  }
  return path;
}
