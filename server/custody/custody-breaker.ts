import { backoffMs } from '#server/protocol-times.ts';

/** Remembers that custody takes nothing at present, so that rows wait instead of trying one by one. Never around a send. */
export interface CustodyBreaker {
  /** How long new sends should wait; 0 when they may go. */
  waitMs(): number;
  /** A send came to something that only custody could have said or done. */
  noteAnswer(): void;
  /** A send made nothing, and the next one would make nothing either. */
  noteUnavailable(): void;
}

// Three in a row: one refused connection is a restart, three are an outage.
const FAILURES_TO_OPEN = 3;

/**
 * Opens after several sends in a row that made nothing, for a time that doubles; the first send after it is the trial. Rows
 * that wait for it are only "later": nobody fails and nobody is parked. The process clock measures a duration here.
 */
export function createCustodyBreaker(times: { backoffFirstMs: number; backoffMaxMs: number }): CustodyBreaker {
  let failures = 0;
  let openUntil = 0;
  return {
    waitMs: () => Math.max(0, openUntil - performance.now()),
    noteAnswer() {
      failures = 0;
      openUntil = 0;
    },
    noteUnavailable() {
      failures += 1;
      if (failures < FAILURES_TO_OPEN) return;
      openUntil = performance.now() + backoffMs(times.backoffFirstMs, times.backoffMaxMs, failures - FAILURES_TO_OPEN);
    },
  };
}
