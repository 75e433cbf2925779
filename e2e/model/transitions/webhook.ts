import { applyProof } from '../apply-proof.ts';
import { change } from '../copy-state.ts';
import { hearDenial } from '../denied-transfer.ts';
import type { Setting } from '../setting.ts';
import { EVENT, type State } from '../state.ts';
import type { Emit } from '../step.ts';

const EVENTS = [
  ['accepted', EVENT.accepted, 'submitted'],
  ['broadcast', EVENT.broadcast, 'broadcast'],
] as const;

/** Events come in any order, late, twice or never; stored first, answered then, applied whenever. */
export function webhookSteps(state: State, setting: Setting, emit: Emit): void {
  for (const [name, event, proof] of EVENTS) {
    if ((state.eventsAtSender & event) !== 0) receive(state, name, event, setting, emit);
    if ((state.eventsInMemory & event) !== 0) {
      const kept = change(state, { eventsInMemory: 0, eventsInInbox: state.eventsInInbox | event });
      emit(`the web process stores the event "${name}"`, kept);
      emit('the web process is killed', change(state, { eventsInMemory: 0, eventLost: true }));
    }
    if ((state.eventsInInbox & event) !== 0) {
      const next = change(state, { eventsInInbox: state.eventsInInbox & ~event });
      hearDenial(next, setting);
      applyProof(next, proof, setting);
      emit(`the event "${name}" is applied`, next);
    }
  }
}

function receive(state: State, name: string, event: number, { rules }: Setting, emit: Emit): void {
  const atSender = state.eventsAtSender & ~event;
  emit(`the event "${name}" never arrives`, change(state, { eventsAtSender: atSender }));
  if (rules.acknowledge === 'before_commit') {
    emit(`the event "${name}" is answered 2xx`, change(state, { eventsAtSender: atSender, eventsInMemory: event }));
    return;
  }
  const eventsInInbox = state.eventsInInbox | event;
  emit(`the event "${name}" is stored and answered 2xx`, change(state, { eventsAtSender: atSender, eventsInInbox }));
  emit(`the event "${name}" is stored, and its sender will repeat it`, change(state, { eventsInInbox }));
}
