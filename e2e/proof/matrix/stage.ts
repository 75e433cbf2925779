import type { CustodyControl } from '../custody-control.ts';

/** What a crash needs of the stack it happens on; the proof's own and the one of the specs both are one. */
export interface Stage {
  readonly custody: CustodyControl;
  readonly faultPointsFile: string;
  start(name: string, env: Readonly<Record<string, string>>): Promise<void>;
  stop(name: string): Promise<void>;
  isRunning(name: string): Promise<boolean>;
  flushRedis(): Promise<void>;
  ask<Row extends object>(text: string, values?: readonly unknown[]): Promise<Row[]>;
  askChain<Answer>(method: string, params: readonly unknown[]): Promise<Answer>;
}
