import type { ChainPort } from '#server/chain/chain-port.ts';
import { createChainRpcClient } from '#server/chain/chain-rpc-client.ts';
import { createSimulatedChainClient } from '#server/chain/simulated-chain-client.ts';
import type { Db, Statement } from '#server/db/database.ts';

/** A network that we read ourselves, and where its blocks come from. */
export interface ReadNetwork {
  readonly networkId: string;
  readonly port: ChainPort;
  /** Its chain stands still while it has nothing to do; of any other that is a node's trouble. */
  readonly rests: boolean;
}

// An EVM node does not say by which of our names its chain goes; this is the one that CHAIN_RPC_URL leads to.
const RPC_NETWORK = 'ethereum';
const TIMEOUT_MS = 5_000;

/**
 * The networks that we have a reader for: Ethereum by its node, and each that is no EVM chain by the simulator, where their addresses
 * are given. Any other stays unread, and what custody says there proves nothing.
 */
export async function readChains(
  deps: { db: Db },
  input: { chainRpcUrl: string | null; simulatedChainsUrl: string | null },
): Promise<readonly ReadNetwork[]> {
  const rows = await deps.db.query<{ id: string; family: string }>(findNetworksSql, []);
  return rows.flatMap(({ id: networkId, family }) => {
    const [isEvm, timeoutMs] = [family === 'evm', TIMEOUT_MS];
    const url = isEvm ? input.chainRpcUrl : input.simulatedChainsUrl;
    if (url === null || (isEvm && networkId !== RPC_NETWORK)) return [];
    const port = isEvm
      ? createChainRpcClient({ url, timeoutMs })
      : createSimulatedChainClient({ url, network: networkId, timeoutMs });
    return [{ networkId, port, rests: !isEvm }];
  });
}

const findNetworksSql: Statement = {
  name: 'find_networks_to_read',
  text: 'select n.id, n.family from networks n order by n.id',
};
