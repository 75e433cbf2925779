import { isUnheard } from './denied-transfer.ts';
import { findStuck } from './find-stuck.ts';
import { type BrokenPromise, findViolation } from './find-violation.ts';
import { initialState } from './initial-state.ts';
import { isLegalMove, nameMove } from './legal-moves.ts';
import { nextSteps } from './next-steps.ts';
import { NumberList } from './number-list.ts';
import { replayPath } from './replay-path.ts';
import type { Setting } from './setting.ts';
import { endsWithoutTransfer, hasLiveTransfer, isEnd, isProved, type State } from './state.ts';
import { StateNumbers } from './state-numbers.ts';

/** More than any variant needs; beyond it the search counts as unfinished, which is a failure. */
const STATES_MAX = 3_000_000;

export type Verdict =
  | { readonly kind: 'safe'; readonly states: number; readonly steps: number; readonly moves: ReadonlySet<string> }
  | {
      readonly kind: 'broken';
      readonly states: number;
      readonly promise: BrokenPromise;
      readonly path: readonly string[];
    }
  | { readonly kind: 'unfinished'; readonly states: number };

/**
 * Breadth first through every state of one variant, so that the first broken promise is found by a shortest path.
 * Then backwards from the ends: a state that cannot reach one any more breaks the promise `no_way_out`.
 */
export function explore(setting: Setting): Verdict {
  const first = initialState(setting.world);
  const numbers = new StateNumbers();
  numbers.add(first);
  const parents = new NumberList();
  const targets = new NumberList();
  const targetsFrom = new NumberList();
  const ends = new NumberList();
  const moves = new Set<string>();
  parents.add(-1);
  let level = [first];
  let number = 0;
  let broken: { promise: BrokenPromise; at: number; last?: State } | undefined;

  while (level.length > 0) {
    const following: State[] = [];
    for (const state of level) {
      targetsFrom.add(targets.length);
      if (isReached(state, setting)) ends.add(number);
      nextSteps(state, setting, (_words, next) => {
        if (broken !== undefined) return;
        if (!isLegalMove(state, next)) {
          broken = { promise: 'illegal_move', at: number, last: next };
          return;
        }
        if (state.status !== next.status && state.epoch === next.epoch) moves.add(nameMove(state.status, next.status));
        const seenBefore = numbers.size;
        const target = numbers.add(next);
        targets.add(target);
        if (target < seenBefore) return;
        parents.add(number);
        following.push(next);
        const promise = findViolation(next);
        if (promise !== undefined) broken = { promise, at: target };
      });
      if (broken !== undefined) {
        const path = replayPath(setting, numbers, parents, broken.at, broken.last);
        return { kind: 'broken', states: numbers.size, promise: broken.promise, path };
      }
      number += 1;
    }
    if (numbers.size > STATES_MAX) return { kind: 'unfinished', states: numbers.size };
    level = following;
  }
  targetsFrom.add(targets.length);
  const stuck = findStuck(targets, targetsFrom, ends);
  if (stuck !== undefined) {
    const path = replayPath(setting, numbers, parents, stuck, undefined);
    return { kind: 'broken', states: numbers.size, promise: 'no_way_out', path };
  }
  return { kind: 'safe', states: numbers.size, steps: targets.length, moves };
}

/** An end of the search: the withdrawal has ended, and what custody did or showed against its word has its case. */
function isReached(state: State, { world }: Setting): boolean {
  if (isUnheard(state)) return false;
  if (!world.settles && isProved(state.status)) return true;
  return isEnd(state.status) && (!endsWithoutTransfer(state.status) || !hasLiveTransfer(state) || state.caseOpen);
}
