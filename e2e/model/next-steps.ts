import type { Setting } from './setting.ts';
import type { State } from './state.ts';
import type { Emit } from './step.ts';
import { custodySteps } from './transitions/custody.ts';
import { customerSteps } from './transitions/customer.ts';
import { databaseSteps } from './transitions/database.ts';
import { networkSteps } from './transitions/network.ts';
import { observerSteps } from './transitions/observer.ts';
import { peopleSteps } from './transitions/people.ts';
import { queueSteps } from './transitions/queue.ts';
import { resolverSteps } from './transitions/resolver.ts';
import { transferSteps } from './transitions/transfer.ts';
import { webhookSteps } from './transitions/webhook.ts';
import { workerSteps } from './transitions/worker.ts';

/** Everything that can happen in this state, one atomic step each, actor by actor. */
export function nextSteps(state: State, setting: Setting, emit: Emit): void {
  customerSteps(state, setting, emit);
  queueSteps(state, setting, emit);
  workerSteps(state, setting, emit);
  resolverSteps(state, setting, emit);
  networkSteps(state, setting, emit);
  custodySteps(state, setting, emit);
  transferSteps(state, setting, emit);
  webhookSteps(state, setting, emit);
  observerSteps(state, setting, emit);
  peopleSteps(state, setting, emit);
  databaseSteps(state, setting, emit);
}
