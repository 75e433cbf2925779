import { initialState } from './initial-state.ts';
import { nextSteps } from './next-steps.ts';
import type { NumberList } from './number-list.ts';
import type { Setting } from './setting.ts';
import type { State } from './state.ts';
import { StateNumbers } from './state-numbers.ts';

/**
 * The way to state `at` in words. The search keeps only each state's parent; walking the way again costs a few hundred
 * steps once, keeping words for every state would cost a gigabyte.
 * @param last one step further, where the step itself is the broken promise
 */
export function replayPath(
  setting: Setting,
  numbers: StateNumbers,
  parents: NumberList,
  at: number,
  last: State | undefined,
): readonly string[] {
  const way: number[] = [];
  for (let number = at; number > 0; number = parents.at(number)) way.unshift(number);
  const path: string[] = [];
  let state = initialState(setting.world);
  const walk = (isWanted: (next: State) => boolean) => {
    let found: State | undefined;
    nextSteps(state, setting, (words, next) => {
      if (found !== undefined || !isWanted(next)) return;
      found = next;
      path.push(words);
    });
    if (found === undefined)
      throw new Error('The model does not repeat itself: a step of the search was not found again.');
    state = found;
  };
  for (const number of way) walk((next) => numbers.find(next) === number);
  if (last !== undefined) {
    const wanted = new StateNumbers();
    wanted.add(last);
    walk((next) => wanted.find(next) === 0);
  }
  return path;
}
