import { describe, expect, it } from 'vitest';
import { startLoop, type Turn } from './run-loop.ts';

/** A turn that the test holds open and ends when it likes. */
function heldTurns() {
  const started: ((turn: Turn) => void)[] = [];
  const waiting: (() => void)[] = [];
  return {
    runOnce: () =>
      new Promise<Turn>((resolve) => {
        started.push(resolve);
        waiting.shift()?.();
      }),
    /** Resolves when the turn of that number has begun. */
    begun: async (number: number) => {
      while (started.length < number) await new Promise<void>((resolve) => waiting.push(resolve));
    },
    end: (number: number, turn: Turn) => started[number - 1]?.(turn),
    count: () => started.length,
  };
}

describe('a loop', () => {
  it('turns again at once while there is more', async () => {
    const turns = heldTurns();
    const loop = startLoop({ name: 'test', idleMs: 60_000, runOnce: turns.runOnce });
    await turns.begun(1);
    turns.end(1, { again: true });
    await turns.begun(2);
    const stopped = loop.stop();
    turns.end(2, { again: false });
    await stopped;
    expect(turns.count()).toBe(2);
  });

  it('sleeps when there is no more, and a nudge ends the sleep', async () => {
    const turns = heldTurns();
    const loop = startLoop({ name: 'test', idleMs: 60_000, runOnce: turns.runOnce });
    await turns.begun(1);
    turns.end(1, { again: false });
    await Promise.resolve();
    loop.nudge();
    await turns.begun(2);
    const stopped = loop.stop();
    turns.end(2, { again: false });
    await stopped;
  });

  it('turns once more after a nudge that came during a turn', async () => {
    const turns = heldTurns();
    const loop = startLoop({ name: 'test', idleMs: 60_000, runOnce: turns.runOnce });
    await turns.begun(1);
    loop.nudge();
    turns.end(1, { again: false });
    await turns.begun(2);
    const stopped = loop.stop();
    turns.end(2, { again: false });
    await stopped;
  });

  it('goes on after a turn that failed', async () => {
    let turns = 0;
    let go: () => void = () => undefined;
    const second = new Promise<void>((resolve) => (go = resolve));
    const loop = startLoop({
      name: 'test',
      idleMs: 1,
      runOnce: () => {
        turns += 1;
        if (turns === 1) return Promise.reject(new Error('the first turn fails'));
        go();
        return Promise.resolve({ again: false });
      },
    });
    await second;
    await loop.stop();
    expect(turns).toBeGreaterThanOrEqual(2);
  });

  it('begins no turn after it was told to stop, and waits for the one that runs', async () => {
    const turns = heldTurns();
    const loop = startLoop({ name: 'test', idleMs: 1, runOnce: turns.runOnce });
    await turns.begun(1);
    let isStopped = false;
    const stopped = loop.stop().then(() => {
      isStopped = true;
    });
    await Promise.resolve();
    expect(isStopped).toBe(false);
    turns.end(1, { again: true });
    await stopped;
    expect(turns.count()).toBe(1);
  });
});
