import { randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPasswordGuesses } from './password-guesses.ts';

let redis: Redis;
beforeAll(async () => {
  redis = new Redis(process.env.TEST_REDIS_URL ?? '');
  // Until the connection stands each process counts for itself.
  await redis.ping();
});
afterAll(() => redis.quit());

const anEmail = () => `${randomUUID()}@test.example`;
async function guess(guesses: ReturnType<typeof createPasswordGuesses>, email: string, times: number): Promise<void> {
  for (let turn = 0; turn < times; turn += 1) await guesses.count(email);
}

test('ten wrong passwords close an account for guessing, in every process and however its address is spelled', async () => {
  const [here, there] = [createPasswordGuesses(redis), createPasswordGuesses(redis)];
  const email = anEmail();
  await guess(here, email, 9);
  expect(await there.isSpent(email)).toBe(false);
  await guess(there, `  ${email.toUpperCase()} `, 1);
  expect([await here.isSpent(email), await there.isSpent(email)]).toEqual([true, true]);
  expect(await here.isSpent(anEmail())).toBe(false);
});

test('counting beyond the limit is no error', async () => {
  const guesses = createPasswordGuesses(redis);
  const email = anEmail();
  await guess(guesses, email, 12);
  expect(await guesses.isSpent(email)).toBe(true);
});

test('with Redis down each process counts for itself, at once', async () => {
  const gone = new Redis({ port: 1, lazyConnect: true, retryStrategy: () => null, maxRetriesPerRequest: 0 });
  gone.on('error', () => undefined);
  const guesses = createPasswordGuesses(gone);
  const email = anEmail();
  await guess(guesses, email, 9);
  expect(await guesses.isSpent(email)).toBe(false);
  await guess(guesses, email, 1);
  expect(await guesses.isSpent(email)).toBe(true);
  // At once: nobody so much as tried to reach it.
  expect(gone.status).toBe('wait');
  gone.disconnect();
});
