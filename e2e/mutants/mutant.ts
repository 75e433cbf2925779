/** One act of sabotage, and the test that must notice it. */
export interface Mutant {
  readonly name: string;
  /** What it would cost. */
  readonly harm: string;
  readonly patches: readonly Patch[];
  readonly test: {
    /** From the root. */
    readonly file: string;
    /** The whole name of one test, those of its suites before it: it alone is run, and must fail by an assertion. */
    readonly named: string;
  };
}

export interface Patch {
  /** From the root. */
  readonly file: string;
  /** Stands there exactly once; a mutant whose place has gone is a mutant that proves nothing. */
  readonly find: string;
  readonly put: string;
}
