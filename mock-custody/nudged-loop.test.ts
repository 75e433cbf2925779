import { expect, test } from 'vitest';
import { startNudgedLoop } from './nudged-loop.ts';
import { waitUntil } from './test-support/wait-until.ts';

test('a nudge during a round leads to one more round, never to two at once', async () => {
  let running = 0;
  let most = 0;
  let rounds = 0;
  const loop = startNudgedLoop(
    async () => {
      running += 1;
      most = Math.max(most, running);
      rounds += 1;
      if (rounds === 1) for (let n = 0; n < 10; n += 1) loop.nudge();
      await Promise.resolve();
      running -= 1;
      return null;
    },
    () => undefined,
  );
  loop.nudge();
  await waitUntil('two rounds', () => rounds === 2);
  await loop.stop();
  expect({ most, rounds }).toEqual({ most: 1, rounds: 2 });
});

test('a round that throws is tried again by itself, and nudges do not make it a busy loop', async () => {
  let rounds = 0;
  const errors: unknown[] = [];
  const loop = startNudgedLoop(
    () => {
      rounds += 1;
      if (rounds === 1) loop.nudge();
      return rounds < 2 ? Promise.reject(new Error('down')) : Promise.resolve(null);
    },
    (cause) => errors.push(cause),
  );
  loop.nudge();
  await waitUntil('the first round', () => errors.length === 1);
  expect(rounds).toBe(1);
  await waitUntil('it was tried again', () => rounds > 1);
  await loop.stop();
  expect(errors).toHaveLength(1);
});

test('a round may nudge before its first pause', async () => {
  let rounds = 0;
  const loop = startNudgedLoop(
    () => {
      rounds += 1;
      if (rounds < 3) loop.nudge();
      return Promise.resolve(null);
    },
    () => undefined,
  );
  loop.nudge();
  await waitUntil('three rounds', () => rounds === 3);
  await loop.stop();
});

test('after stop nothing runs', async () => {
  let rounds = 0;
  const loop = startNudgedLoop(
    () => {
      rounds += 1;
      return Promise.resolve(0);
    },
    () => undefined,
  );
  await loop.stop();
  loop.nudge();
  expect(rounds).toBe(0);
});
