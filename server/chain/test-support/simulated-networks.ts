import { startMockProvider } from '#server/custody/test-support/mock-provider.ts';

export interface SimulatedPayment {
  readonly asset: string;
  readonly address: string;
  readonly memo?: string;
  readonly amount: string;
}

/** Custody's simulator as it is, in a process of its own, whose chains grow when a test says so. */
export async function startSimulatedNetworks() {
  // The first block of a network that has something to do comes at once, and the next one by itself not before the test is over.
  const provider = await startMockProvider({ CUSTODY_SIM_BLOCK_MS: '3600000', CUSTODY_FINALITY_BLOCKS: '1' });
  const order = async (path: string, body: object) => {
    const response = await fetch(`${provider.url}/control/sim/${path}`, { method: 'POST', body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as { hash: string };
  };
  return {
    ...provider,
    /** Pays out of nothing, with the next block. */
    pay: (network: string, payment: SimulatedPayment) => order(`${network}/deposits`, payment),
    mine: (network: string, blocks = 1) => order(`${network}/mine`, { blocks }),
    reorg: (network: string, depth: number, drop: boolean) => order(`${network}/reorg`, { depth, drop }),
  };
}
