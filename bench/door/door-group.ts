import type { Life } from '#stack/life.mjs';
import { openBenchHouse } from '../harness/bench-house.ts';
import type { BenchProcess, BenchWorld } from '../harness/bench-world.ts';
import type { Contestant, Group } from '../harness/contestant.ts';
import { loadHttp } from '../harness/http-load.ts';
import { measure } from '../harness/measure.ts';
import { productEnv } from '../harness/product-env.ts';
import { openSessions } from './door-session.ts';
import { aWireRequest } from './wire-request.ts';

type Deps = { life: Life; log: (line: string) => void };

export const DOOR_BUNDLES = { door: 'bench/door/door-process.ts', 'no-op': 'bench/door/no-op-process.ts' };

const CONNECTIONS = 32;

/** The product's API door with the real acceptance, beside a tRPC procedure that does nothing; both ask who is signed in. */
export async function openDoorGroup(_deps: Deps, world: BenchWorld): Promise<Group> {
  const house = await openBenchHouse(await world.createDatabase('bench_door'));
  const cookies = await openSessions(house, house.customers);
  await house.run('analyze sessions');
  const product = productEnv({ databaseUrl: house.url, redisUrl: world.redisUrl, custodyUrl: 'http://127.0.0.1:1' });
  const [door, noOp] = [
    // The queue is another group's matter.
    await world.start('door', { ...product, BENCH_RELAYS: '0' }),
    await world.start('no-op', { DATABASE_URL: house.url }),
  ];
  const next = () => aWireRequest(cookies);
  const at = (name: string, how: string, process: BenchProcess): Contestant => ({
    name,
    how,
    run: (milliseconds) =>
      measure({ [name]: process.pid, postgres: world.pids.postgres }, () =>
        loadHttp({ port: process.port, connections: CONNECTIONS, milliseconds, next }),
      ),
  });
  return {
    name: 'door',
    contestants: [
      at('door', 'withdrawal.request by HTTP, with session, guards, acceptance; 32 connections', door),
      at('no-op', "a mutation that does nothing, on tRPC's adapter for Node, with the same session look-up", noOp),
    ],
    tidy: async () => {
      await house.run('vacuum analyze withdrawals, customer_balances');
    },
    close: async () => {
      await Promise.all([door.stop(), noOp.stop()]);
      await house.close();
    },
  };
}
