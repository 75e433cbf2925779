'use client';

import { useQuery } from '@tanstack/react-query';
import { Amount } from '../../../_components/amount.tsx';
import { TimeText } from '../../../_components/time-text.tsx';
import { usePerson } from '../../../_session/person-context.tsx';
import { useTRPC, useTRPCClient } from '../../../_trpc/trpc-provider.tsx';
import { useRoomWords } from '../../../_words/use-room-words.ts';
import { useWords } from '../../../_words/use-words.ts';
import { Cell, DataTable } from './data-table.tsx';
import { Deed } from './deed.tsx';
import { EmptyNote } from './empty-note.tsx';
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
                  <Cell right>{one.debits}</Cell>
                  <Cell right>{one.credits}</Cell>
                  <Cell right className="font-semibold">
                    {one.balance}
                  </Cell>
                </tr>
              ))}
            </DataTable>
          </section>
        );
      })}
      <Adjustments />
    </>
  );
}

function Adjustments() {
  const room = useRoomWords();
  const { ledger } = room;
  const { code } = useWords();
  const { name, role } = usePerson();
  const trpc = useTRPC();
  const { operator } = useTRPCClient();
  const query = useQuery({ ...trpc.operator.adjustments.list.queryOptions(), refetchInterval: REFRESH_MS });
  const { what, accounts, reason, proposed, confirmed } = ledger.adjustmentColumns;
  const readsOnly = role === 'auditor' ? room.needsRole('operator') : null;
  return (
    <section className="space-y-3">
      <h2 className="font-semibold">{ledger.adjustments}</h2>
      {query.data?.items.length === 0 && <EmptyNote>{ledger.noAdjustments}</EmptyNote>}
      {query.data !== undefined && query.data.items.length > 0 && (
        <DataTable caption={ledger.adjustments} columns={[what, accounts, reason, proposed, confirmed]}>
          {query.data.items.map((item) => (
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
                    blocked={readsOnly ?? (item.proposedBy === name ? room.secondPerson : null)}
                    run={async () => {
                      await operator.adjustments.confirm.mutate({ adjustmentId: item.adjustmentId });
                      return ledger.confirmed;
                    }}
                  />
                )}
              </Cell>
            </tr>
          ))}
        </DataTable>
      )}
    </section>
  );
}
