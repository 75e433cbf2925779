import { type Act, type ActTools, click, reach } from './act.ts';

const BITCOIN = { asset: 'BTC', network: 'bitcoin', amount: '0.001' } as const;
const XRP = { asset: 'XRP', network: 'xrp', amount: '30', memo: '77' } as const;

/**
 * Networks that we do not read ourselves: what custody says there moves a row as far as the network and no further, whether it is
 * paid, never mined or never taken. Without a reader nothing proves that it is paid or dead, and nothing is sent twice: what is paid by
 * custody's word waits under that reason, and the others wait for people.
 */
export const SIMULATED_NETWORKS: Act = {
  name: 'simulated networks',
  run: async (tools) => {
    const { world } = tools;
    const keys: string[] = [];
    const send = async (
      body: typeof BITCOIN | typeof XRP,
      address: string,
      fault: 'sim_stuck' | 'sim_reject' | null,
    ) => {
      const key = tools.random.uuid();
      if (fault !== null) await world.custody.setFault({ kind: fault, externalId: key, count: 1 });
      await click(tools, { act: 'simulated networks', key, body: { ...body, address } });
      keys.push(key);
    };
    await send(BITCOIN, '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2', null);
    await send(BITCOIN, 'bc1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qccfmv3', 'sim_stuck');
    await send(XRP, 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh', 'sim_reject');
    for (const key of keys) await reach(tools, key, ({ status }) => status === 'broadcast');
    const [paid = '', stuck = '', rejected = ''] = keys;
    await reach(tools, paid, ({ waitReason, parkedReason, isDated }) => {
      return waitReason === 'no_reader' && parkedReason === null && isDated;
    });
    for (const key of [stuck, rejected]) {
      await reach(tools, key, ({ parkedReason, isDated }) => WITHOUT_END.has(parkedReason ?? '') && isDated);
    }
    await expectFaults(tools, ['sim_stuck', 'sim_reject']);
  },
};

const WITHOUT_END: ReadonlySet<string> = new Set(['given_up_unproved', 'end_unproved']);

async function expectFaults({ world }: ActTools, kinds: readonly string[]): Promise<void> {
  const struck = new Set((await world.custody.readLog()).map(({ details }) => details.fault));
  for (const kind of kinds) if (!struck.has(kind)) throw new Error(`${kind} never struck`);
}
