import { expect, test } from 'vitest';
import { createGatherer } from './gatherer.ts';

test('what arrives while a batch is stored becomes the next batch, one at a time', async () => {
  const batches: number[][] = [];
  let running = 0;
  const add = createGatherer<number>(async (items) => {
    running += 1;
    expect(running).toBe(1);
    batches.push(items);
    await new Promise((resolve) => setImmediate(resolve));
    running -= 1;
  });
  const first = add(1);
  await Promise.resolve();
  await Promise.all([first, add(2), add(3)]);
  expect(batches.flat()).toEqual([1, 2, 3]);
  expect(batches.length).toBeLessThan(3);
});

test('a batch that fails fails its own items only', async () => {
  let calls = 0;
  const add = createGatherer<string>(() => {
    calls += 1;
    return calls === 1 ? Promise.reject(new Error('disk full')) : Promise.resolve();
  });
  await expect(add('a')).rejects.toThrow('disk full');
  await expect(add('b')).resolves.toBeUndefined();
});
