'use client';

import { useQuery } from '@tanstack/react-query';
import { useTRPC } from '../../../_trpc/trpc-provider.tsx';
import { useRoomWords } from '../../../_words/use-room-words.ts';
import { Cell, DataTable } from './data-table.tsx';

/** What each tier may withdraw alone, with people, and at most. */
export function TiersSection() {
  const { customers } = useRoomWords();
  const trpc = useTRPC();
  const query = useQuery(trpc.operator.terms.show.queryOptions());
  const { tier, day, month, second, hard } = customers.limitColumns;
  const right = (name: string) => ({ name, right: true as const });
  if (query.data === undefined) return null;
  return (
    <section className="space-y-3">
      <h2 className="font-semibold">{customers.limits}</h2>
      <DataTable
        caption={customers.limits}
        columns={[tier, right(day), right(month), right(second), right(hard)]}
        wide={false}
      >
        {query.data.tiers.map((one) => (
          <tr key={one.tierId}>
            <Cell>{one.name}</Cell>
            <Cell right>{one.autoLimit24h}</Cell>
            <Cell right>{one.autoLimit30d}</Cell>
            <Cell right>{one.secondApproval}</Cell>
            <Cell right>{one.hardLimit24h ?? customers.noLimit}</Cell>
          </tr>
        ))}
      </DataTable>
    </section>
  );
}
