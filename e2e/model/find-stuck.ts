import type { NumberList } from './number-list.ts';

/**
 * The first state (so the one nearest to the start) that cannot reach an end, or undefined.
 * @param targets every step's target, grouped by the state it starts from
 * @param targetsFrom where each state's group begins; one longer than there are states
 */
export function findStuck(targets: NumberList, targetsFrom: NumberList, ends: NumberList): number | undefined {
  const states = targetsFrom.length - 1;
  const sourcesFrom = new Int32Array(states + 1);
  for (let step = 0; step < targets.length; step += 1) increase(sourcesFrom, targets.at(step) + 1);
  for (let state = 0; state < states; state += 1) increase(sourcesFrom, state + 1, sourcesFrom[state]);
  const sources = new Int32Array(targets.length);
  const filled = sourcesFrom.slice();
  for (let state = 0; state < states; state += 1) {
    for (let step = targetsFrom.at(state); step < targetsFrom.at(state + 1); step += 1) {
      const target = targets.at(step);
      sources[filled[target] ?? 0] = state;
      increase(filled, target);
    }
  }
  const reaches = new Uint8Array(states);
  const open: number[] = [];
  const mark = (state: number) => {
    if (reaches[state] === 1) return;
    reaches[state] = 1;
    open.push(state);
  };
  for (let end = 0; end < ends.length; end += 1) mark(ends.at(end));
  for (let state = open.pop(); state !== undefined; state = open.pop()) {
    for (const source of sources.subarray(sourcesFrom[state], sourcesFrom[state + 1])) mark(source);
  }
  const stuck = reaches.indexOf(0);
  return stuck === -1 ? undefined : stuck;
}

function increase(list: Int32Array, index: number, by = 1): void {
  list[index] = (list[index] ?? 0) + by;
}
