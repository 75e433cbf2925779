import { expect, test } from 'vitest';
import { createRelay } from '#server/api/relay-after-commit.ts';

/** Ends each trip when it is told to. */
function heldTrips() {
  const trips: { ids: readonly bigint[]; end: () => void; fail: () => void }[] = [];
  const relayRows = (ids: readonly bigint[]) =>
    new Promise<void>((resolve, reject) => {
      trips.push({ ids, end: resolve, fail: () => reject(new Error('said by the test')) });
    });
  return { trips, relayRows };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

test('the first row goes at once, and those that come meanwhile go together after it', async () => {
  const { trips, relayRows } = heldTrips();
  const relay = createRelay(relayRows);
  for (const id of [1n, 2n, 3n]) relay.send(id);
  expect(trips.map(({ ids }) => ids)).toEqual([[1n]]);
  trips[0]?.end();
  await turn();
  expect(trips.map(({ ids }) => ids)).toEqual([[1n], [2n, 3n]]);
  trips[1]?.end();
  await relay.settled();
  relay.send(4n);
  expect(trips[2]?.ids).toEqual([4n]);
});

test('a trip takes no more than it may, and none of the rest is lost', async () => {
  const { trips, relayRows } = heldTrips();
  const relay = createRelay(relayRows, { batchMax: 2 });
  for (const id of [1n, 2n, 3n, 4n]) relay.send(id);
  for (let done = 0; done < 3; done += 1) {
    trips[done]?.end();
    await turn();
  }
  await relay.settled();
  expect(trips.map(({ ids }) => ids)).toEqual([[1n], [2n, 3n], [4n]]);
});

test('a trip that fails is left to the loop, and the next one goes all the same', async () => {
  const { trips, relayRows } = heldTrips();
  const relay = createRelay(relayRows);
  relay.send(1n);
  relay.send(2n);
  trips[0]?.fail();
  await turn();
  expect(trips[1]?.ids).toEqual([2n]);
  trips[1]?.end();
  await expect(relay.settled()).resolves.toBeUndefined();
});
