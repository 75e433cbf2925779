import type { Measured } from './acts/act.ts';
import type { PlayedAct } from './acts/play-acts.ts';
import type { Reach } from './checker/reach.ts';
import type { Violation } from './checker/violation.ts';

/** What a run came to; also the file that `--json` writes. */
export interface ProofResult {
  readonly passed: boolean;
  readonly seed: number;
  readonly faultsChosen: string;
  readonly withdrawals: number;
  readonly operations: {
    readonly clicks: number;
    readonly calls: number;
    readonly byStatus: Readonly<Record<string, number>>;
  };
  readonly faults: {
    readonly total: number;
    readonly nemesis: Readonly<Record<string, number>>;
    readonly custody: Readonly<Record<string, number>>;
    readonly faultPoints: Readonly<Record<string, number>>;
    readonly network: Readonly<Record<string, number>>;
  };
  readonly reach: Reach;
  readonly acts: readonly PlayedAct[];
  readonly measured: readonly Measured[];
  readonly replaysAnswered: number;
  /** What would have been a second deed, by the layer that stopped it. */
  readonly duplicatesPrevented: Readonly<Record<string, number>>;
  readonly doubleTransfers: number;
  readonly excused: number;
  readonly lost: number;
  readonly unresolved: readonly { readonly id: string; readonly status: string; readonly waitReason: string | null }[];
  /** Rows that wait for people at the end: `profile reason` to how many. */
  readonly inReview: Readonly<Record<string, number>>;
  readonly byPeople: Readonly<Record<string, number>>;
  readonly ledgerDifference: Readonly<Record<string, string>>;
  readonly processStarts: number;
  readonly crashes: readonly string[];
  readonly violations: readonly Violation[];
  readonly durationMs: number;
}
