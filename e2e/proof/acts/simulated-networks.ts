import { type Act, type ActTools, click, reach } from './act.ts';

const BITCOIN = { asset: 'BTC', network: 'bitcoin', amount: '0.001' } as const;
const XRP = { asset: 'XRP', network: 'xrp', amount: '30', memo: '77' } as const;

/**
 * Networks whose blocks custody's simulator makes up and we read as we read real ones: what is paid there completes at finality, what
 * hangs completes by the dearer transaction that replaces it, and what its ledger never took fails when its last ledger is final.
 */
export const SIMULATED_NETWORKS: Act = {
  name: 'simulated networks',
  run: async (tools) => {
    const { world } = tools;
    const send = async (
      body: typeof BITCOIN | typeof XRP,
      address: string,
      fault: 'sim_stuck' | 'sim_reject' | null,
    ) => {
      const key = tools.random.uuid();
      if (fault !== null) await world.custody.setFault({ kind: fault, externalId: key, count: 1 });
      await click(tools, { act: 'simulated networks', key, body: { ...body, address } });
      return key;
    };
    const paid = await send(BITCOIN, '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2', null);
    const stuck = await send(BITCOIN, 'bc1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qccfmv3', 'sim_stuck');
    const tagged = await send(XRP, 'rN7n7otQDd6FczFgLdSqtcsAUxDkw6fzRH', null);
    const rejected = await send(XRP, 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh', 'sim_reject');
    for (const key of [paid, tagged]) await reach(tools, key, ({ status }) => status === 'completed');
    const hanging = await reach(tools, stuck, ({ status }) => status === 'broadcast');
    await world.custody.replace(await findTransfer(tools, hanging.id));
    await reach(tools, stuck, ({ status, hashes }) => status === 'completed' && hashes === 2);
    // Twenty ledgers of a second, and custody's look after them.
    await reach(tools, rejected, ({ status }) => status === 'failed', { withinMs: 90_000 });
    await expectFaults(tools, ['sim_stuck', 'sim_reject']);
  },
};

async function findTransfer({ world }: ActTools, withdrawalId: string): Promise<string> {
  const [row] = await world.ask<{ id: string | null }>('select transfer_id as id from withdrawals where id = $1', [
    withdrawalId,
  ]);
  if (!row?.id) throw new Error(`${withdrawalId} has no transfer`);
  return row.id;
}

async function expectFaults({ world }: ActTools, kinds: readonly string[]): Promise<void> {
  const struck = new Set((await world.custody.readLog()).map(({ details }) => details.fault));
  for (const kind of kinds) if (!struck.has(kind)) throw new Error(`${kind} never struck`);
}
