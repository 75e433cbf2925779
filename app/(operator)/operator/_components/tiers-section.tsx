'use client';

import { useQuery } from '@tanstack/react-query';
import { Digits } from '../../../_components/digits.tsx';
import { useTRPC, useTRPCClient } from '../../../_trpc/trpc-provider.tsx';
import { useRoomWords } from '../../../_words/use-room-words.ts';
import { wholeNumber } from './asset-terms.tsx';
import { Cell, DataTable } from './data-table.tsx';
import { Deed } from './deed.tsx';
import { useReadsOnly } from './use-reads-only.ts';

function readTier(tierId: string, typed: (name: string) => string) {
  return {
    tierId,
    autoLimit24h: typed('day'),
    autoLimit30d: typed('month'),
    secondApproval: typed('second'),
    hardLimit24h: typed('hard') || null,
    newAddressAuto: typed('new') || null,
    velocityMax: wholeNumber(typed('velocity')),
  };
}

/** What each tier may withdraw alone, with people, and at most. */
export function TiersSection() {
  const { customers, assets } = useRoomWords();
  const { operator } = useTRPCClient();
  const blocked = useReadsOnly();
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
        columns={[tier, right(day), right(month), right(second), right(hard), assets.act]}
        wide={false}
      >
        {query.data.tiers.map((one) => (
          <tr key={one.tierId}>
            <Cell>{one.name}</Cell>
            <Cell right>
              <Digits value={one.autoLimit24h} />
            </Cell>
            <Cell right>
              <Digits value={one.autoLimit30d} />
            </Cell>
            <Cell right>
              <Digits value={one.secondApproval} />
            </Cell>
            <Cell right>{one.hardLimit24h === null ? customers.noLimit : <Digits value={one.hardLimit24h} />}</Cell>
            <Cell>
              <Deed
                label={assets.change}
                says={customers.limitsSays}
                blocked={blocked}
                fields={[
                  { name: 'day', label: day, value: one.autoLimit24h },
                  { name: 'month', label: month, value: one.autoLimit30d },
                  { name: 'second', label: second, value: one.secondApproval },
                  { name: 'hard', label: hard, value: one.hardLimit24h ?? '', hint: assets.capsHint },
                  { name: 'new', label: customers.newAddress, value: one.newAddressAuto ?? '', hint: assets.capsHint },
                  { name: 'velocity', label: customers.velocity, value: String(one.velocityMax) },
                ]}
                confirms={(typed) => ({ deed: 'set_tier', terms: readTier(one.tierId, typed) })}
                run={async ({ typed, stepUp }) => {
                  await operator.terms.setTier.mutate({ ...readTier(one.tierId, typed), stepUp });
                  return assets.changed;
                }}
              />
            </Cell>
          </tr>
        ))}
      </DataTable>
    </section>
  );
}
