'use client';

import { useInfiniteQuery } from '@tanstack/react-query';
import { Amount } from '../../../_components/amount.tsx';
import { TimeText } from '../../../_components/time-text.tsx';
import { usePerson } from '../../../_session/person-context.tsx';
import { useTRPC, useTRPCClient } from '../../../_trpc/trpc-provider.tsx';
import { useRoomWords } from '../../../_words/use-room-words.ts';
import { useWords } from '../../../_words/use-words.ts';
import { AdjustmentForm } from './adjustment-form.tsx';
import { Cell, DataTable } from './data-table.tsx';
import { Deed } from './deed.tsx';
import { EmptyNote } from './empty-note.tsx';
import { ShowMore } from './show-more.tsx';
import { useReadsOnly } from './use-reads-only.ts';

const REFRESH_MS = 10_000;
const PAGE_SIZE = 50;

/** Corrections of the books: proposed by one person, booked when another confirms. */
export function AdjustmentsSection({ assets }: { assets: readonly { assetId: string }[] }) {
  const room = useRoomWords();
  const { ledger } = room;
  const { code } = useWords();
  const { userId, role } = usePerson();
  const trpc = useTRPC();
  const { operator } = useTRPCClient();
  const query = useInfiniteQuery({
    ...trpc.operator.adjustments.list.infiniteQueryOptions(
      { limit: PAGE_SIZE },
      { initialCursor: null, getNextPageParam: (page) => page.nextCursor },
    ),
    refetchInterval: REFRESH_MS,
  });
  const items = query.data?.pages.flatMap((page) => page.items);
  const { what, accounts, reason, proposed, confirmed } = ledger.adjustmentColumns;
  const readsOnly = useReadsOnly();
  return (
    <section className="space-y-3">
      <h2 className="font-semibold">{ledger.adjustments}</h2>
      {role !== 'auditor' && <AdjustmentForm assets={assets.map(({ assetId }) => assetId)} />}
      {items?.length === 0 && <EmptyNote>{ledger.noAdjustments}</EmptyNote>}
      {items !== undefined && items.length > 0 && (
        <DataTable caption={ledger.adjustments} columns={[what, accounts, reason, proposed, confirmed]}>
          {items.map((item) => (
            <tr key={item.adjustmentId}>
              <Cell>
                <Amount value={item.amount} asset={item.asset} />
              </Cell>
              <Cell>
                {code(item.debit.kind)} → {code(item.credit.kind)}
              </Cell>
              <Cell>{item.reason}</Cell>
              <Cell>
                {item.proposedBy}, <TimeText at={item.proposedAt} />
              </Cell>
              <Cell>
                {item.confirmedAt !== null ? (
                  <>
                    {item.confirmedBy}, <TimeText at={item.confirmedAt} />
                  </>
                ) : (
                  <Deed
                    label={ledger.confirm}
                    says={ledger.confirmSays}
                    tone="danger"
                    confirms={{ deed: 'adjust', subject: item.adjustmentId }}
                    blocked={readsOnly ?? (item.proposedById === userId ? room.secondPerson : null)}
                    run={async ({ stepUp }) => {
                      await operator.adjustments.confirm.mutate({ adjustmentId: item.adjustmentId, stepUp });
                      return ledger.confirmed;
                    }}
                  />
                )}
              </Cell>
            </tr>
          ))}
        </DataTable>
      )}
      <ShowMore query={query} />
    </section>
  );
}
