import { windowOf } from '../copy.ts';
import { change } from '../copy-state.ts';
import type { Setting } from '../setting.ts';
import { EVENT, type State, spend } from '../state.ts';
import type { Emit } from '../step.ts';

/** What becomes of a transfer at custody, what custody forgets, and how its time passes. */
export function transferSteps(state: State, setting: Setting, emit: Emit): void {
  passTime(state, setting, emit);
  forget(state, setting, emit);
  deny(state, emit);
  if (setting.world.settles && state.transfersMade > 0) moveOn(state, setting, emit);
}

function passTime(state: State, { world }: Setting, emit: Emit): void {
  if (world.notAfterHonoured && state.windowsPassed <= state.windowNewest) {
    const next = change(state, { windowsPassed: state.windowsPassed + 1 });
    if (!world.readLag) next.windowsSettled = next.windowsPassed;
    emit(`not-after ${state.windowsPassed + 1} passes by custody's clock`, next);
  }
  if (world.readLag && state.windowsSettled < state.windowsPassed) {
    emit("custody's read lag after it is over", change(state, { windowsSettled: state.windowsPassed, visible: true }));
  }
  if (!state.visible) emit('the transfer becomes visible to look-ups', change(state, { visible: true }));
}

function forget(state: State, { rules, world }: Setting, emit: Emit): void {
  const windowOver = !world.notAfterHonoured || rules.notAfterEnds === 'after_key_window';
  if (world.keysForgotten && state.keyKnown && (windowOver || windowOf(state.madeBy) < state.windowsPassed)) {
    emit('custody forgets the idempotency key (its window is over)', change(state, { keyKnown: false }));
  }
  if (state.left.custodyRestores === 0 || state.transfersMade === 0 || !mayRestore(state, world.custodyRestoreWhen))
    return;
  emit(
    'custody restores an old backup: key, reference and transfer are forgotten',
    change(state, {
      keyKnown: false,
      referenceKnown: false,
      refusalRecorded: false,
      memoryShort: true,
      left: spend(state.left, 'custodyRestores'),
    }),
  );
}

function deny(state: State, emit: Emit): void {
  if (state.denies) emit('custody shows what it denied', change(state, { denies: false }));
  if (state.left.denials === 0 || state.transfersMade === 0 || state.denies) return;
  const left = spend(state.left, 'denials');
  emit('custody denies the transfer to every look-up', change(state, { denies: true, contradicted: true, left }));
}

function mayRestore(state: State, when: Setting['world']['custodyRestoreWhen']): boolean {
  switch (when) {
    case 'any_time':
      return true;
    case 'after_not_after':
      return windowOf(state.madeBy) < state.windowsPassed;
    case 'nothing_under_way':
      return (
        state.network.length === 0 &&
        state.workers.every((worker) => worker.step !== 'will_send' && worker.step !== 'looked_up')
      );
  }
}

function moveOn(state: State, { world }: Setting, emit: Emit): void {
  const events = (event: number) => (world.webhooks ? state.eventsAtSender | event : state.eventsAtSender);
  if (state.transfer === 'accepted' || state.transfer === 'stalled') {
    const next: State = change(state, { transfer: 'broadcast', eventsAtSender: events(EVENT.broadcast) });
    emit(state.transfer === 'stalled' ? 'custody signs again and broadcasts' : 'custody signs and broadcasts', next);
  }
  if (state.transfer === 'accepted' && state.left.stalls > 0) {
    emit(
      'custody says "failed", though not finally',
      change(state, {
        transfer: 'stalled',
        left: spend(state.left, 'stalls'),
      }),
    );
  }
  const notOnChain = state.transfer !== 'dead' && state.inclusion === 'none';
  if (notOnChain && state.left.failures > 0) {
    const next: State = change(state, { transfer: 'dead', left: spend(state.left, 'failures') });
    emit('the transfer dies for good: every transaction of it is spent by another', next);
  }
  if (state.transfer === 'dead' && state.left.contradictions > 0) {
    const left = spend(state.left, 'contradictions');
    emit(
      'custody pays after all, against its own final answer',
      change(state, {
        transfer: 'broadcast',
        contradicted: true,
        left,
      }),
    );
  }
  if (state.transfer === 'broadcast' && state.inclusion === 'none') {
    emit('a block includes the transaction', change(state, { inclusion: 'included' }));
  }
  if (state.inclusion !== 'included') return;
  emit('the block is final', change(state, { inclusion: 'final' }));
  if (state.left.reorgs > 0) {
    emit('a reorg drops the inclusion', change(state, { inclusion: 'none', left: spend(state.left, 'reorgs') }));
  }
}
