import { change, copyState } from '../copy-state.ts';
import { endWithoutTransfer } from '../end-without-transfer.ts';
import type { Setting } from '../setting.ts';
import { type State, spend } from '../state.ts';
import type { Emit } from '../step.ts';

/** The customer's browser: one key a click, asked as often as it likes, given up before another is minted; and cancel. */
export function customerSteps(state: State, setting: Setting, emit: Emit): void {
  if (setting.world.acceptance) {
    ask(state, setting, emit);
    if (state.requests > 0) handleRequest(state, setting, emit);
    if (state.giveUps > 0) handleGiveUp(state, setting, emit);
  }
  if (setting.world.cancel) cancel(state, setting, emit);
}

function ask(state: State, { rules }: Setting, emit: Emit): void {
  if (state.browser === 'before') {
    emit(
      'the customer clicks: a key is stored and the request sent',
      change(state, { browser: 'waiting', requests: 1 }),
    );
  }
  if (state.fundsShort) emit('a deposit arrives', change(state, { fundsShort: false }));
  if (state.browser === 'before' || state.secondKey) return;
  if (state.left.clicks > 0) {
    emit(
      'the same key is sent again',
      change(state, { requests: state.requests + 1, left: spend(state.left, 'clicks') }),
    );
  }
  if (state.browser !== 'waiting') return;
  if (rules.newKey === 'after_timeout') {
    emit('the browser hears nothing and mints another key', change(state, { browser: 'done', secondKey: true }));
  } else if (state.giveUps === 0) emit('the browser hears nothing and gives the key up', change(state, { giveUps: 1 }));
}

function handleRequest(state: State, setting: Setting, emit: Emit): void {
  emit('the network loses the request', change(state, { requests: state.requests - 1 }));
  const next = change(state, { requests: state.requests - 1 });
  const words = accept(next, setting);
  emit(`${words}, the answer is lost`, next);
  emit(words, change(next, { browser: 'done' }));
}

/** Find the key, decide, insert, and only if a row went in: hold. */
function accept(next: State, { rules, world }: Setting): string {
  const again = next.status === 'refused' && rules.refusedKey === 'asked_again';
  if (rules.hold === 'before_insert' && !next.fundsShort) next.held += 1;
  if (next.status !== 'none' && !again) return 'the web process answers with the withdrawal it has under this key';
  if (next.fundsShort) {
    next.status = 'refused';
    return 'the web process refuses (funds) and stores that under the key';
  }
  if (rules.hold === 'after_insert') next.held += 1;
  next.status = world.approval ? 'awaiting_approval' : 'queued';
  next.jobs = world.redeliveries;
  return 'the web process accepts: row, hold and outbox in one commit';
}

function handleGiveUp(state: State, _setting: Setting, emit: Emit): void {
  emit('the network loses the give-up', change(state, { giveUps: 0 }));
  if (state.status === 'none') {
    const next: State = change(state, { giveUps: 0, status: 'refused' });
    emit('the give-up is stored as a refusal under the key, the answer is lost', next);
    emit(
      'the give-up is stored as a refusal; the browser mints another key',
      change(next, {
        browser: 'done',
        secondKey: true,
      }),
    );
    return;
  }
  emit('the give-up finds the key taken, the answer is lost', change(state, { giveUps: 0 }));
  const mints = state.status === 'refused' && state.browser === 'waiting';
  const words = mints ? 'finds the refusal; the browser mints another key' : 'finds the withdrawal and shows it';
  emit(`the give-up ${words}`, change(state, { giveUps: 0, browser: 'done', secondKey: state.secondKey || mints }));
}

function cancel(state: State, { rules }: Setting, emit: Emit): void {
  const cancellable = (state.status === 'queued' || state.status === 'awaiting_approval') && state.mode === 'normal';
  if (rules.cancel === 'read_then_write') {
    if (cancellable && !state.cancelInHand)
      emit('cancel reads the row as queued', change(state, { cancelInHand: true }));
    if (!state.cancelInHand) return;
    const next = change(state, { cancelInHand: false });
    endWithoutTransfer(next, 'cancelled');
    emit('cancel writes "cancelled"', next);
    return;
  }
  if (!cancellable) return;
  const next = copyState(state);
  endWithoutTransfer(next, 'cancelled');
  emit('the customer cancels (compare-and-set)', next);
}
