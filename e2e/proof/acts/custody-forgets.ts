import { type Act, type ActTools, click, reach } from './act.ts';

// The dev chain makes a block a second, and custody signs at once.
const BEFORE_MS = 500;

/**
 * Custody loses what it knew, and comes back when everything that it lost is past its not-after. What we hold the transaction of is
 * completed from the chain; what custody does not show any more is neither sent again nor given back.
 */
const memoryLoss = (kind: 'forget_since' | 'restore_copy'): Act => ({
  name: kind,
  run: async (tools) => {
    const since = new Date(Date.now() - BEFORE_MS).toISOString();
    const forgotten = await click(tools, { act: kind });
    await reach(tools, forgotten.idempotencyKey, ({ status }) => status === 'broadcast' || status === 'completed', {
      blocks: 0,
    });
    await tools.world.custody.setFault({ kind, since, delayMs: 1_000 });
    await reach(tools, forgotten.idempotencyKey, ({ status }) => status === 'completed');
    // Whoever asks meanwhile waits, and is paid once custody is back.
    const later = await click(tools, { act: kind });
    await reach(tools, later.idempotencyKey, ({ status }) => status === 'completed', { withinMs: 90_000 });
    await expectOnce(tools, [forgotten.idempotencyKey, later.idempotencyKey]);
  },
});

async function expectOnce({ world }: ActTools, keys: readonly string[]): Promise<void> {
  const created = (await world.custody.readLog()).filter(({ kind }) => kind === 'created');
  for (const key of keys) {
    const times = created.filter(({ externalId }) => externalId === key).length;
    if (times !== 1) throw new Error(`${key} was made ${times} times`);
  }
}

export const MEMORY_LOSSES: readonly Act[] = [memoryLoss('restore_copy'), memoryLoss('forget_since')];
