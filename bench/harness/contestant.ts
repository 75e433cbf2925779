/** What one turn of one contestant came to. */
export interface Turn {
  readonly operations: number;
  readonly seconds: number;
  /** Of each process that took part, milliseconds of a processor. */
  readonly cpuMs: Readonly<Record<string, number>>;
  /** Of each operation, where latency is the question. */
  readonly latencyMs?: readonly number[];
  /** The most that each process kept in memory, where that is the question. */
  readonly memoryMb?: Readonly<Record<string, number>>;
}

/** Something that does the same work as the others of its group, in its own way. */
export interface Contestant {
  readonly name: string;
  /** What a reader has to know to judge it. */
  readonly how: string;
  run(milliseconds: number): Promise<Turn>;
}

/** Contestants that are compared with each other, because they do the same in the same surroundings. */
export interface Group {
  readonly name: string;
  readonly contestants: readonly Contestant[];
  /** Between two rounds, when nobody is measured. */
  readonly tidy?: () => Promise<void>;
  close(): Promise<void>;
}

/** How long everything may take to end; looked at so often that the wait is no part of the figure, and so seldom that it costs nobody. */
export const ENDED = { withinMs: 120_000, everyMs: 20 };
