import { expect, it } from 'vitest';
import { countFates } from './count-fates.ts';

const asked = (...keys: string[]) => keys.map((key) => ({ key, isAccepted: true }));
const created = (externalId: string) => ({ kind: 'created', externalId });

it.each([
  { what: 'paid once and said so', log: [created('k')], says: 'sent', fate: {} },
  { what: 'paid twice', log: [created('k'), created('k')], says: 'sent', fate: { doubled: 1 } },
  { what: 'paid, and the row is still open', log: [created('k')], says: 'open', fate: { unknown: 1 } },
  { what: 'never paid, and the row is still open', log: [], says: 'open', fate: { unpaid: 1 } },
  { what: 'refused by custody', log: [{ kind: 'refused', externalId: 'k' }], says: 'failed', fate: {} },
  { what: 'paid, and called failed', log: [created('k')], says: 'failed', fate: { wrong: 1 } },
  { what: 'called sent, and nothing was', log: [], says: 'sent', fate: { wrong: 1 } },
] as const)('counts what is $what', ({ log, says, fate }) => {
  const rows = [{ key: 'k', says, afterMs: 1 }];
  const none = { accepted: 1, doubled: 0, unpaid: 0, unknown: 0, wrong: 0 };
  expect(countFates({ asked: asked('k'), rows, log })).toEqual({ ...none, ...fate });
});

it('counts nobody as lost who was never told that it is accepted', () => {
  expect(countFates({ asked: [{ key: 'k', isAccepted: false }], rows: [], log: [] }).unpaid).toBe(0);
});

it('counts an accepted click without a row as unpaid', () => {
  expect(countFates({ asked: asked('k'), rows: [], log: [] }).unpaid).toBe(1);
});
