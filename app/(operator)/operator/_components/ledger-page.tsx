'use client';

import { useQuery } from '@tanstack/react-query';
import { Digits } from '../../../_components/digits.tsx';
import { useTRPC } from '../../../_trpc/trpc-provider.tsx';
import { useRoomWords } from '../../../_words/use-room-words.ts';
import { useWords } from '../../../_words/use-words.ts';
import { AdjustmentsSection } from './adjustments-section.tsx';
import { Cell, DataTable } from './data-table.tsx';
import { LiveHeading } from './live-heading.tsx';

const REFRESH_MS = 10_000;

/** The trial balance, and adjustments that wait for a second person. */
export function LedgerPage() {
  const room = useRoomWords();
  const { ledger } = room;
  const { code } = useWords();
  const trpc = useTRPC();
  const query = useQuery({ ...trpc.operator.trialBalance.queryOptions(), refetchInterval: REFRESH_MS });
  const { account, debits, credits, balance } = ledger.columns;
  const right = (name: string) => ({ name, right: true as const });
  return (
    <>
      <LiveHeading title={room.pages.ledger} lead={ledger.lead} query={query} />
      {query.data?.assets.map((asset) => {
        const isZero = /^0(\.0*)?$/.test(asset.sum);
        return (
          <section key={asset.assetId} className="space-y-3">
            <h2 className="font-semibold">
              {asset.assetId}{' '}
              <span className={isZero ? 'font-normal text-good text-sm' : 'text-bad'}>
                {isZero ? ledger.sumZero : ledger.sumBroken(asset.sum)}
              </span>
            </h2>
            <DataTable
              caption={`${room.pages.ledger}, ${asset.assetId}`}
              columns={[account, right(debits), right(credits), right(balance)]}
              wide={false}
            >
              {asset.accounts.map((one) => (
                <tr key={one.kind}>
                  <Cell>{code(one.kind)}</Cell>
                  <Cell right>
                    <Digits value={one.debits} />
                  </Cell>
                  <Cell right>
                    <Digits value={one.credits} />
                  </Cell>
                  <Cell right className="font-semibold">
                    <Digits value={one.balance} />
                  </Cell>
                </tr>
              ))}
            </DataTable>
          </section>
        );
      })}
      <AdjustmentsSection assets={query.data?.assets ?? []} />
    </>
  );
}
