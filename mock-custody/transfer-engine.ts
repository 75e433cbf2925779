import type { NetworkName } from './asset-table.ts';
import { broadcastTransactions } from './engine/broadcast-transactions.ts';
import { signTransfers } from './engine/sign-transfers.ts';
import { createChainWatch } from './engine/watch-chain.ts';
import type { FaultSwitches } from './fault-switches.ts';
import type { HotWalletFunds } from './hot-wallet-funds.ts';
import type { PaymentNetwork } from './networks/payment-network.ts';
import { type NudgedLoop, startNudgedLoop } from './nudged-loop.ts';
import type { Database } from './store/custody-database.ts';

export type TransferEngine = {
  /** Accepted transfers are waiting on this network. */
  nudge(network: NetworkName): void;
  nudgeAll(): void;
  /** A chain has a new block. */
  nudgeWatch(): void;
  stop(): Promise<void>;
};

/** Three loops a network, each the only one of its kind in this process: sign, broadcast, watch. */
export function startTransferEngine(
  deps: {
    database: Database;
    faults: FaultSwitches;
    funds: HotWalletFunds;
    log: (event: string, fields: object) => void;
  },
  input: { networks: readonly PaymentNetwork[]; finalityBlocks: number; onEvent: () => void; onBroadcast: () => void },
): TransferEngine {
  const lanes = new Map<NetworkName, NudgedLoop>();
  const loops: NudgedLoop[] = [];
  const watches: NudgedLoop[] = [];

  for (const network of input.networks) {
    const report = (step: string) => (cause: unknown) =>
      deps.log(`${step}.failed`, {
        network: network.name,
        error: cause instanceof Error ? cause.message : String(cause),
      });
    const chainWatch = createChainWatch(
      { database: deps.database, network, funds: deps.funds },
      { finalityBlocks: input.finalityBlocks },
    );

    const watch = startNudgedLoop(async () => {
      const round = await chainWatch.runOnce();
      if (round.changed > 0) input.onEvent();
      return round.againMs;
    }, report('watch'));
    const broadcast: NudgedLoop = startNudgedLoop(async () => {
      const round = await broadcastTransactions({ database: deps.database, network }, { limit: 100 });
      if (round.sent > 0) {
        input.onEvent();
        input.onBroadcast();
        watch.nudge();
      }
      return round.againMs;
    }, report('broadcast'));
    const sign = startNudgedLoop(async () => {
      const signed = await signTransfers({ database: deps.database, network, faults: deps.faults }, { limit: 50 });
      if (signed === 0) return null;
      broadcast.nudge();
      input.onEvent();
      return 0;
    }, report('sign'));

    lanes.set(network.name, sign);
    loops.push(sign, broadcast, watch);
    watches.push(watch);
  }

  const engine: TransferEngine = {
    nudge: (network) => lanes.get(network)?.nudge(),
    nudgeAll: () => {
      for (const loop of loops) loop.nudge();
    },
    nudgeWatch: () => {
      for (const watch of watches) watch.nudge();
    },
    stop: async () => {
      await Promise.all(loops.map((loop) => loop.stop()));
    },
  };
  // Whatever a kill left half done goes on from the stored rows.
  engine.nudgeAll();
  return engine;
}
