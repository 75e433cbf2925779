/** Chance that can be played again: the same seed gives the same choices in the same order. */
export interface SeededRandom {
  /** At least 0, below 1. */
  next(): number;
  /** A whole number from `min` to `max`, both included. */
  int(min: number, max: number): number;
  chance(share: number): boolean;
  pick<Item>(items: readonly Item[]): Item;
  shuffle<Item>(items: readonly Item[]): Item[];
  /** A UUID of version 4. */
  uuid(): string;
  /** Chance of its own for one part, so that a draw more in another part changes nothing here. */
  branch(name: string): SeededRandom;
}

/** Mulberry32: small, quick, and good enough to choose faults with. */
export function createSeededRandom(seed: number): SeededRandom {
  let state = seed >>> 0;
  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }
  const int = (min: number, max: number) => min + Math.floor(next() * (max - min + 1));
  function pick<Item>(items: readonly Item[]): Item {
    const item = items[int(0, items.length - 1)];
    if (item === undefined) throw new Error('nothing to pick from');
    return item;
  }
  return {
    next,
    int,
    pick,
    chance: (share) => next() < share,
    shuffle: (items) =>
      items
        .map((item) => ({ item, place: next() }))
        .sort((left, right) => left.place - right.place)
        .map(({ item }) => item),
    uuid: () => {
      const hex = Array.from({ length: 32 }, () => int(0, 15).toString(16));
      hex[12] = '4';
      hex[16] = pick(['8', '9', 'a', 'b']);
      const text = hex.join('');
      return [text.slice(0, 8), text.slice(8, 12), text.slice(12, 16), text.slice(16, 20), text.slice(20)].join('-');
    },
    branch: (name) => createSeededRandom(hashName(seed, name)),
  };
}

/** FNV-1a over the name, begun with the seed. */
function hashName(seed: number, name: string): number {
  let hash = (0x811c9dc5 ^ seed) >>> 0;
  for (const character of name) hash = Math.imul(hash ^ character.charCodeAt(0), 0x01000193) >>> 0;
  return hash;
}
