import { expect, test } from 'vitest';
import { mintWithdrawalId } from '#server/api/mint-withdrawal-id.ts';

test('ids are UUIDs of version 7, all different, and begin with the time', () => {
  const before = Date.now();
  const ids = Array.from({ length: 1_000 }, () => mintWithdrawalId());
  expect(new Set(ids).size).toBe(1_000);
  for (const id of ids) {
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    const time = Number.parseInt(id.replace('-', '').slice(0, 12), 16);
    expect(time).toBeGreaterThanOrEqual(before);
    expect(time).toBeLessThanOrEqual(Date.now());
  }
});
