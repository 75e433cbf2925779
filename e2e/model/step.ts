import type { State } from './state.ts';

/** Takes one thing that can happen next: what it is, in words, and the state after it. */
export type Emit = (words: string, next: State) => void;

export interface Step {
  readonly words: string;
  readonly next: State;
}

const WORKER_NAMES = ['worker A', 'worker B'] as const;

export function workerName(id: 0 | 1): string {
  return WORKER_NAMES[id];
}
