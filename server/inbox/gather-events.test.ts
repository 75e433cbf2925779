import { expect, it } from 'vitest';
import { BATCH_MAX } from '#server/db/one-by-one.ts';
import { gatherEvents } from '#server/inbox/gather-events.ts';

const event = (event_id: string, reference: string | null) => ({ event_id, reference });

it('puts events of different withdrawals together', () => {
  expect(gatherEvents([event('1', 'a'), event('2', 'b'), event('3', null), event('4', null)])).toEqual([
    ['1', '2', '3', '4'],
  ]);
});

it('keeps the events of one withdrawal apart and in their order', () => {
  const waiting = [event('1', 'a'), event('2', 'a'), event('3', 'b'), event('4', 'a'), event('5', 'b')];
  expect(gatherEvents(waiting)).toEqual([['1', '3'], ['2', '5'], ['4']]);
});

it('lets no batch grow beyond what one statement carries', () => {
  const waiting = Array.from({ length: BATCH_MAX + 1 }, (_, at) => event(`${at}`, `${at}`));
  expect(gatherEvents(waiting).map((batch) => batch.length)).toEqual([BATCH_MAX, 1]);
});

it('makes nothing of nothing', () => {
  expect(gatherEvents([])).toEqual([]);
});
