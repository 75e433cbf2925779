import { isEnd, type State } from './state.ts';

/** Ends the row and releases its hold in one transaction; an ended row takes no second end. */
export function endWithoutTransfer(next: State, status: 'failed' | 'cancelled' | 'rejected'): void {
  if (isEnd(next.status)) return;
  next.status = status;
  next.review = 'no';
  next.voided += 1;
}
