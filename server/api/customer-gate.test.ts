import { expect, test } from 'vitest';
import { createCustomerGate } from '#server/api/customer-gate.ts';

/** Work that ends when it is told to. */
function heldWork() {
  const releases: (() => void)[] = [];
  const state = { running: 0, most: 0 };
  const work = async () => {
    state.running += 1;
    state.most = Math.max(state.most, state.running);
    await new Promise<void>((resolve) => releases.push(resolve));
    state.running -= 1;
  };
  const releaseAll = () => {
    for (const release of releases.splice(0)) release();
  };
  return { state, work, releaseAll };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

test('of one customer no more than so many run at once, and all of them run', async () => {
  const gate = createCustomerGate({ runningMax: 2, waitingMax: 10 });
  const { state, work, releaseAll } = heldWork();
  let done = 0;
  const all = Array.from({ length: 7 }, () => gate.run('alice', work).then(() => (done += 1)));
  while (done < 7) {
    await turn();
    expect(state.running).toBeLessThanOrEqual(2);
    releaseAll();
  }
  await Promise.all(all);
  expect(state.most).toBe(2);
});

test('a full line refuses the next one and nobody else', async () => {
  const gate = createCustomerGate({ runningMax: 1, waitingMax: 1 });
  const { work, releaseAll } = heldWork();
  const first = gate.run('alice', work);
  const second = gate.run('alice', work);
  await expect(gate.run('alice', work)).rejects.toMatchObject({ refusal: { code: 'rate_limited' } });
  await expect(gate.run('bob', () => Promise.resolve('through'))).resolves.toBe('through');
  await turn();
  releaseAll();
  await turn();
  releaseAll();
  await Promise.all([first, second]);
});

test('work that throws gives its place to the next', async () => {
  const gate = createCustomerGate({ runningMax: 1, waitingMax: 5 });
  const failing = gate.run('alice', () => Promise.reject(new Error('broken')));
  const next = gate.run('alice', () => Promise.resolve('through'));
  await expect(failing).rejects.toThrow('broken');
  await expect(next).resolves.toBe('through');
  await expect(gate.run('alice', () => Promise.resolve('again'))).resolves.toBe('again');
});
