import { setTimeout as sleep } from 'node:timers/promises';
import type { ProofWorld } from '../proof-world.ts';

export type Service = 'postgres' | 'redis' | 'custody';

const held = new Map<Service, Promise<void>>();
const START_TRIES = 20;
// What a killed Postgres leaves behind in shared memory is gone within a second or two.
const START_EVERY_MS = 500;

/** One deed at a time on a service: whoever kills it while another starts it would leave it lying there. */
export function holdService(world: ProofWorld, name: Service, deed: () => Promise<void>): Promise<void> {
  const turn = (held.get(name) ?? Promise.resolve()).then(async () => {
    // A deed before this one may have failed half way.
    if (!isRunning(world, name)) await startService(world, name);
    await deed();
  });
  held.set(
    name,
    turn.catch(() => undefined),
  );
  return turn;
}

/** Starts a service until it stands. @throws when it never does */
export async function startService(world: ProofWorld, name: Service): Promise<void> {
  for (let tried = 1; ; tried += 1) {
    try {
      if (!isRunning(world, name)) await world.stack.start(name);
      return;
    } catch (error) {
      if (tried >= START_TRIES) throw error;
      await sleep(START_EVERY_MS);
    }
  }
}

function isRunning(world: ProofWorld, name: Service): boolean {
  return world.stack.processes().some((process) => process.name === name && process.state === 'running');
}
