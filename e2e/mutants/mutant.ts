/** One act of sabotage, and the test that must notice it. */
export interface Mutant {
  readonly name: string;
  /** What it would cost. */
  readonly harm: string;
  readonly patches: readonly Patch[];
  readonly test: {
    /** From the root. */
    readonly file: string;
    /** Part of the names of the tests that are run; at least one of them must fail. */
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
