import { z } from 'zod';
import { type NetworkName, networks as networkNames } from './asset-table.ts';
import type { CustodyEnv } from './custody-env.ts';
import { openEvmNetwork } from './networks/evm-network.ts';
import { openJsonRpc } from './networks/json-rpc.ts';
import type { PaymentNetwork } from './networks/payment-network.ts';
import { openSimulatedLedger, type SimulatedLedger } from './networks/simulated-ledger.ts';
import { openSimulatedNetwork } from './networks/simulated-network.ts';
import type { Database } from './store/custody-database.ts';

const hexText = z.templateLiteral(['0x', z.string()]);
// The dev chain's; a provider of one chain need not ask which one it is.
const CHAIN_ID = 31_337;

/** The five networks we pay on: one real, four simulated, all behind the same interface. */
export function openNetworks(
  deps: { database: Database },
  env: CustodyEnv,
): { networks: PaymentNetwork[]; ledgers: Map<NetworkName, SimulatedLedger> } {
  const { database } = deps;
  const ledgers = new Map<NetworkName, SimulatedLedger>();
  const networks = networkNames.map((name): PaymentNetwork => {
    if (name === 'ethereum')
      return openEvmNetwork(
        { rpc: openJsonRpc(env.CHAIN_RPC_URL) },
        {
          privateKey: hexText.parse(env.CUSTODY_HOT_WALLET_KEY),
          chainId: CHAIN_ID,
          tokens: { USDC: hexText.parse(env.USDC_CONTRACT), USDT: hexText.parse(env.USDT_CONTRACT) },
        },
      );
    const ledger = openSimulatedLedger({ database }, { network: name });
    ledgers.set(name, ledger);
    return openSimulatedNetwork({ database, ledger }, { name, signingKey: env.CUSTODY_HOT_WALLET_KEY });
  });
  return { networks, ledgers };
}
