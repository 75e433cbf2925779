import { waitUntil } from '#stack/wait-until.ts';
import type { BenchHouse } from '../harness/bench-house.ts';
import { ENDED } from '../harness/contestant.ts';

/** Until custody's event about each withdrawal is applied: nobody reads a chain here, so what is on the network has come to its end. */
export async function untilOursEnded(house: BenchHouse): Promise<void> {
  const isDone = async () => {
    const left = await house.run(
      `select 1 from withdrawals where status in ('queued', 'dispatching', 'in_doubt', 'submitted') limit 1`,
    );
    return left.length === 0;
  };
  await waitUntil(isDone, { ...ENDED, what: 'our withdrawals did not come to their end' });
}
