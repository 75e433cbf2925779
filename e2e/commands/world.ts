import type { SharedStage } from '#e2e/proof/shared-stack.ts';
import type { History, Intent } from '#e2e/proof/workload/history.ts';
import type { Customer } from '#e2e/proof/workload/open-customers.ts';

/** What the commands of one run share: the stack they break and the clicks so far. */
export interface CommandWorld {
  readonly stage: SharedStage;
  readonly customer: Customer;
  readonly history: History;
}

/** What must be true without looking: how many clicks there are, and what their customers were told. */
export interface CommandModel {
  clicks: number;
  /** By number of the click: the withdrawal that its key named first. */
  readonly named: Map<number, string>;
  /** Clicks whose customer was told that they are cancelled. */
  readonly cancelled: Set<number>;
}

export function createModel(): CommandModel {
  return { clicks: 0, named: new Map(), cancelled: new Set() };
}

/** The click of that number. @throws when there is none: the model and the world have parted */
export function intentOf(world: CommandWorld, number: number): Intent {
  const intent = world.history.intents[number];
  if (intent === undefined) throw new Error(`there is no click ${number}`);
  return intent;
}
