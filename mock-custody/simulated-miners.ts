import type { SimulatedLedger } from './networks/simulated-ledger.ts';
import { type NudgedLoop, startNudgedLoop } from './nudged-loop.ts';

export type SimulatedMiners = { nudge(): void; stop(): Promise<void> };

/** A block at a steady pace on every simulated chain that has something to do; an idle chain stands still. */
export function startSimulatedMiners(
  deps: { log: (event: string, fields: object) => void },
  input: { ledgers: Iterable<SimulatedLedger>; blockMs: number; onBlock: () => void },
): SimulatedMiners {
  const loops: NudgedLoop[] = [];
  for (const ledger of input.ledgers) {
    let minedAtMs = Number.NEGATIVE_INFINITY;
    loops.push(
      startNudgedLoop(
        async () => {
          if (!(await ledger.busy())) return null;
          const waitMs = minedAtMs + input.blockMs - performance.now();
          if (waitMs > 1) return waitMs; // Nudged between two blocks.
          await ledger.mine();
          minedAtMs = performance.now();
          input.onBlock();
          return input.blockMs;
        },
        (cause) => deps.log('mine.failed', { network: ledger.network, error: String(cause) }),
      ),
    );
  }
  const miners: SimulatedMiners = {
    nudge: () => {
      for (const loop of loops) loop.nudge();
    },
    stop: async () => {
      await Promise.all(loops.map((loop) => loop.stop()));
    },
  };
  miners.nudge();
  return miners;
}
