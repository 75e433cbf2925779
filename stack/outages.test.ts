import { expect, test, vi } from 'vitest';
import { keepOutages } from './outages.ts';

function stackOf(failures = 0) {
  const deeds: string[] = [];
  let left = failures;
  return {
    deeds,
    start: async (name: string) => {
      deeds.push(`start ${name}`);
      left -= 1;
      if (left >= 0) throw new Error('shared memory is still there');
    },
    stop: async (name: string) => void deeds.push(`stop ${name}`),
    kill: async (name: string, signal: string) => void deeds.push(`${signal} ${name}`),
  };
}

test('what is taken away comes back by itself, and is said to be away until then', async () => {
  vi.useFakeTimers({ now: 0, toFake: ['Date'] });
  const stack = stackOf();
  const outages = keepOutages(stack);
  await outages.begin({ name: 'redis', how: 'pause', forMs: 20 });
  expect(outages.list()).toEqual([{ name: 'redis', until: '1970-01-01T00:00:00.020Z' }]);
  await expect(outages.begin({ name: 'redis', how: 'pause', forMs: 20 })).rejects.toThrow('redis is out already');
  vi.useRealTimers();
  await vi.waitFor(() => expect(outages.list()).toEqual([]));
  expect(stack.deeds).toEqual(['SIGSTOP redis', 'SIGCONT redis']);
});

test('a service that does not stand at once is started again', async () => {
  const stack = stackOf(1);
  const outages = keepOutages(stack);
  await outages.begin({ name: 'postgres', how: 'stop', forMs: 1 });
  await vi.waitFor(() => expect(outages.list()).toEqual([]), { timeout: 5_000 });
  expect(stack.deeds).toEqual(['stop postgres', 'start postgres', 'start postgres']);
});

test('once everything ends nothing is brought back', async () => {
  const stack = stackOf();
  const outages = keepOutages(stack);
  await outages.begin({ name: 'postgres', how: 'stop', forMs: 60_000 });
  outages.close();
  await vi.waitFor(() => expect(outages.list()).toEqual([]));
  expect(stack.deeds).toEqual(['stop postgres']);
});
