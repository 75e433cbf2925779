import { encodeState, STATE_BYTES_MAX } from './encode-state.ts';
import { NumberList } from './number-list.ts';
import type { State } from './state.ts';

/**
 * Numbers states in the order they are first seen. A hash table over one byte arena instead of a Map of strings,
 * so that no string is kept and collected for each of a million states.
 */
export class StateNumbers {
  #arena = new Uint8Array(1 << 16);
  #arenaLength = 0;
  #begins = new NumberList();
  /** State number + 1, or 0 for a free slot. The size is a power of two and at least twice the number of states. */
  #slots = new Int32Array(1 << 12);
  #scratch = new Uint8Array(STATE_BYTES_MAX + 16);

  get size(): number {
    return this.#begins.length;
  }

  /** The state's number, or undefined where it was never added. */
  find(state: State): number | undefined {
    const length = encodeState(state, this.#scratch);
    const taken = this.#slots[this.#slotOf(this.#scratch, length)] ?? 0;
    return taken === 0 ? undefined : taken - 1;
  }

  /** Adds the state; equal to the size before exactly when the state was new. */
  add(state: State): number {
    const length = encodeState(state, this.#scratch);
    const slot = this.#slotOf(this.#scratch, length);
    const taken = this.#slots[slot] ?? 0;
    if (taken !== 0) return taken - 1;
    const number = this.#begins.length;
    this.#slots[slot] = number + 1;
    this.#append(length);
    if (this.#begins.length * 2 > this.#slots.length) this.#rehash();
    return number;
  }

  #append(length: number): void {
    if (this.#arenaLength + length + 1 > this.#arena.length) {
      const larger = new Uint8Array(this.#arena.length * 2);
      larger.set(this.#arena);
      this.#arena = larger;
    }
    this.#begins.add(this.#arenaLength);
    this.#arena[this.#arenaLength] = length;
    this.#arena.set(this.#scratch.subarray(0, length), this.#arenaLength + 1);
    this.#arenaLength += length + 1;
  }

  #slotOf(bytes: Uint8Array, length: number): number {
    const mask = this.#slots.length - 1;
    for (let slot = hash(bytes, 0, length) & mask; ; slot = (slot + 1) & mask) {
      const taken = this.#slots[slot] ?? 0;
      if (taken === 0 || this.#isEqual(taken - 1, bytes, length)) return slot;
    }
  }

  #isEqual(number: number, bytes: Uint8Array, length: number): boolean {
    const begin = this.#begins.at(number);
    if (this.#arena[begin] !== length) return false;
    for (let at = 0; at < length; at += 1) if (this.#arena[begin + 1 + at] !== bytes[at]) return false;
    return true;
  }

  #rehash(): void {
    this.#slots = new Int32Array(this.#slots.length * 4);
    const mask = this.#slots.length - 1;
    for (let number = 0; number < this.#begins.length; number += 1) {
      const begin = this.#begins.at(number);
      let slot = hash(this.#arena, begin + 1, this.#arena[begin] ?? 0) & mask;
      while (this.#slots[slot] !== 0) slot = (slot + 1) & mask;
      this.#slots[slot] = number + 1;
    }
  }
}

/** FNV-1a with a final mix, for the low bits choose the slot. */
function hash(bytes: Uint8Array, begin: number, length: number): number {
  let value = 0x811c9dc5;
  for (let at = begin; at < begin + length; at += 1) value = Math.imul(value ^ (bytes[at] ?? 0), 0x01000193);
  value ^= value >>> 15;
  value = Math.imul(value, 0x2c1b3c6d);
  return value ^ (value >>> 13);
}
