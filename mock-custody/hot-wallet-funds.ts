import type { NetworkName } from './asset-table.ts';
import type { CustodySettings } from './custody-settings.ts';
import type { PaymentNetwork } from './networks/payment-network.ts';
import type { Database } from './store/custody-database.ts';

// What ether the hot wallet keeps back to pay for gas: some thousand transfers at the fees of a quiet chain.
const GAS_RESERVE_MINOR = 50_000_000_000_000_000n;

/** What the hot wallets have and how much of it is promised already. Estimates, never above the truth for long. */
export type HotWalletFunds = {
  /** Null while the network was never reached. */
  available(network: NetworkName, asset: string): bigint | null;
  /** Sets an amount aside for a transfer that is being created; false when it is not there. */
  reserve(network: NetworkName, asset: string, amountMinor: bigint): boolean;
  /** The transfer was not created after all. */
  release(network: NetworkName, asset: string, amountMinor: bigint): void;
  /** The creation is over: from now on the transfer's row speaks for the amount. */
  settle(network: NetworkName, asset: string, amountMinor: bigint): void;
  /** From now on pretends to have no more than this; what is paid in later counts, null ends it. */
  pretend(network: NetworkName, asset: string, availableMinor: bigint | null): Promise<void>;
  refresh(network: PaymentNetwork): Promise<void>;
  recount(network: NetworkName): Promise<void>;
  known(network: NetworkName): boolean;
};

export function createHotWalletFunds(deps: { database: Database; settings: CustodySettings }): HotWalletFunds {
  const onChain = new Map<string, bigint>();
  const promised = new Map<string, bigint>();
  const creating = new Map<string, bigint>();
  const name = (network: string, asset: string): string => `${network}/${asset}`;
  const add = (book: Map<string, bigint>, key: string, change: bigint): void => {
    book.set(key, (book.get(key) ?? 0n) + change);
  };

  function available(network: NetworkName, asset: string): bigint | null {
    const key = name(network, asset);
    const chain = onChain.get(key);
    if (chain === undefined) return null;
    const withheld = BigInt(deps.settings.withheld()[key] ?? '0');
    const reserve = asset === 'ETH' ? GAS_RESERVE_MINOR : 0n;
    const free = chain - withheld - reserve - (promised.get(key) ?? 0n) - (creating.get(key) ?? 0n);
    return free > 0n ? free : 0n;
  }

  return {
    available,
    known: (network) => [...onChain.keys()].some((key) => key.startsWith(`${network}/`)),
    reserve(network, asset, amountMinor) {
      const free = available(network, asset);
      if (free === null || free < amountMinor) return false;
      add(creating, name(network, asset), amountMinor);
      return true;
    },
    release: (network, asset, amountMinor) => add(creating, name(network, asset), -amountMinor),
    settle(network, asset, amountMinor) {
      add(creating, name(network, asset), -amountMinor);
      add(promised, name(network, asset), amountMinor);
    },
    async pretend(network, asset, availableMinor) {
      const key = name(network, asset);
      const { [key]: _old, ...others } = deps.settings.withheld();
      await deps.settings.setWithheld(others);
      const free = available(network, asset) ?? 0n;
      if (availableMinor === null || free <= availableMinor) return;
      await deps.settings.setWithheld({ ...others, [key]: (free - availableMinor).toString() });
    },
    async refresh(network) {
      for (const [asset, minor] of await network.balances()) onChain.set(name(network.name, asset), minor);
    },
    async recount(network) {
      const open = await deps.database.query<{ asset: string; minor: string }>({
        name: 'promised-by-asset',
        text: `select asset, sum(amount_minor)::text as minor from transfer
          where network = $1 and status in ('accepted','signed','broadcast') group by asset`,
        values: [network],
      });
      for (const key of promised.keys()) if (key.startsWith(`${network}/`)) promised.delete(key);
      for (const { asset, minor } of open.rows) promised.set(name(network, asset), BigInt(minor));
    },
  };
}
