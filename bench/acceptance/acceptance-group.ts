import { acceptAlone } from '#server/withdrawals/accept-alone.ts';
import { createAcceptanceBatch } from '#server/withdrawals/acceptance-batch.ts';
import type { Accept, AcceptedRow } from '#server/withdrawals/acceptance-call.ts';
import type { Life } from '#stack/life.mjs';
import { openBenchHouse } from '../harness/bench-house.ts';
import type { BenchWorld } from '../harness/bench-world.ts';
import type { Contestant, Group } from '../harness/contestant.ts';
import { keepBusy, measure } from '../harness/measure.ts';
import { acceptWithPrisma } from './accept-with-prisma.ts';
import { anAcceptanceCall } from './acceptance-calls.ts';
import { findPgbench, pgbenchContestant } from './pgbench.ts';

type Deps = { life: Life; log: (line: string) => void };

const IN_FLIGHT = 32;
// Enough that no index is an empty one, few enough to be there in seconds.
const ROWS_BEFORE = 2_000;

/** The acceptance in the database, by each way of asking for it, for many customers and for one. */
export async function openAcceptanceGroup(deps: Deps, world: BenchWorld): Promise<Group> {
  const house = await openBenchHouse(await world.createDatabase('bench_acceptance'));
  const { db, customers } = house;
  const { postgres } = world.pids;
  const together = createAcceptanceBatch({ db });
  const alone: Accept = (call) => acceptAlone({ db }, call);
  const anybody = () => customers[Math.floor(Math.random() * customers.length)] ?? '';
  const [hot = ''] = customers;
  await keepBusyUntil(ROWS_BEFORE, () => together(anAcceptanceCall(anybody())));
  await house.run('vacuum analyze');

  const first = (name: string, how: string, accept: Accept, customer: () => string): Contestant => ({
    name,
    how,
    run: (milliseconds) =>
      measure({ postgres }, async () => ({
        operations: await keepBusy({ inFlight: IN_FLIGHT, milliseconds }, async () =>
          expectOutcome(await accept(anAcceptanceCall(customer())), 'new'),
        ),
      })),
  });
  const repeated = (name: string, accept: Accept): Contestant => {
    const known = Array.from({ length: 512 }, () => anAcceptanceCall(anybody()));
    let isKnown = false;
    return {
      name,
      how: 'requests whose key is known, 32 in flight',
      run: async (milliseconds) => {
        if (!isKnown) await Promise.all(known.map(accept));
        isKnown = true;
        let at = 0;
        return await measure({ postgres }, async () => ({
          operations: await keepBusy({ inFlight: IN_FLIGHT, milliseconds }, async () => {
            at = (at + 1) % known.length;
            const call = known[at];
            if (call !== undefined) expectOutcome(await accept(call), 'existing');
          }),
        }));
      },
    };
  };
  const program = await findPgbench(deps);
  const ceiling = (name: string, howMany: number): Contestant =>
    program === null
      ? first(name, 'no pgbench here: pg, named prepared, 32 in flight', alone, howMany === 1 ? () => hot : anybody)
      : pgbenchContestant(deps, { name, program, url: house.url, customers: howMany, postgres });
  const contestants = [
    ceiling('pgbench', customers.length),
    first('one by one', 'pg, named prepared, a transaction each', alone, anybody),
    first('together', 'as the product does: what arrives meanwhile goes in one transaction', together, anybody),
    {
      name: 'Prisma interactive',
      how: 'a transaction of eleven statements, the way it is first written',
      run: (milliseconds: number) =>
        measure({ postgres }, async () => ({
          operations: await keepBusy({ inFlight: IN_FLIGHT, milliseconds }, async () => {
            const outcome = await acceptWithPrisma(db, anAcceptanceCall(anybody()));
            if (outcome !== 'new') throw new Error(`accepted with Prisma as ${outcome}`);
          }),
        })),
    },
    ceiling('pgbench, one account', 1),
    first('together, one account', 'as the product does', together, () => hot),
    repeated('repeated', together),
  ];
  return {
    name: 'acceptance',
    contestants,
    tidy: async () => {
      await house.run('vacuum analyze withdrawals, customer_balances');
    },
    close: house.close,
  };
}

function expectOutcome(row: AcceptedRow, outcome: 'new' | 'existing'): void {
  if (row.outcome !== outcome || row.refusal_code !== null) {
    throw new Error(`a request came out as ${row.outcome} ${row.refusal_code ?? ''} and not as ${outcome}`);
  }
}

async function keepBusyUntil(count: number, deed: () => Promise<unknown>): Promise<void> {
  let left = count;
  const lane = async () => {
    while (left > 0) {
      left -= 1;
      await deed();
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, lane));
}
