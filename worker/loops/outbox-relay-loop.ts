import { RELAY_BATCH, relayOutbox } from '#server/outbox/relay-outbox.ts';
import { type Loop, startLoop } from '../run-loop.ts';
import type { WorkerTools } from '../worker-tools.ts';

/** The net under the web process's own relay. A full batch goes again at once. */
export function startOutboxRelayLoop(tools: WorkerTools): Loop {
  return startLoop({
    name: 'outbox',
    idleMs: tools.times.outboxIdleMs,
    runOnce: async () => {
      const { isFull } = await relayOutbox(tools, { limit: RELAY_BATCH });
      return { again: isFull };
    },
  });
}
