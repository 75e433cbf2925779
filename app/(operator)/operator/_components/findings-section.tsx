'use client';

import { useInfiniteQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { TimeText } from '../../../_components/time-text.tsx';
import { useTRPC, useTRPCClient } from '../../../_trpc/trpc-provider.tsx';
import { useRoomWords } from '../../../_words/use-room-words.ts';
import { useWords } from '../../../_words/use-words.ts';
import { Cell, DataTable } from './data-table.tsx';
import { Deed } from './deed.tsx';
import { EmptyNote } from './empty-note.tsx';
import { ShowMore } from './show-more.tsx';
import { useReadsOnly } from './use-reads-only.ts';

const REFRESH_MS = 5_000;
const PAGE_SIZE = 50;

/** Open findings of the reconciliation, each closed by a person with a reason. */
export function FindingsSection() {
  const room = useRoomWords();
  const { reconciliation } = room;
  const { code } = useWords();
  const readsOnly = useReadsOnly();
  const trpc = useTRPC();
  const { operator } = useTRPCClient();
  const query = useInfiniteQuery({
    ...trpc.operator.reconciliation.discrepancies.infiniteQueryOptions(
      { limit: PAGE_SIZE, open: true },
      { initialCursor: null, getNextPageParam: (page) => page.nextCursor },
    ),
    refetchInterval: REFRESH_MS,
  });
  const items = query.data?.pages.flatMap((page) => page.items);
  const { kind, books, subject, since, detail, act } = reconciliation.columns;
  const kinds: Readonly<Record<string, string>> = reconciliation.kinds;
  const compared: Readonly<Record<string, string>> = reconciliation.books;
  return (
    <section className="space-y-3">
      <h2 className="font-semibold">{reconciliation.findings}</h2>
      {items?.length === 0 && <EmptyNote>{reconciliation.noFindings}</EmptyNote>}
      {items !== undefined && items.length > 0 && (
        <DataTable caption={reconciliation.findings} columns={[kind, books, subject, since, detail, act]}>
          {items.map((item) => (
            <tr key={item.discrepancyId}>
              <Cell className="font-semibold text-bad">{kinds[item.kind] ?? code(item.kind)}</Cell>
              <Cell>{compared[item.books] ?? code(item.books)}</Cell>
              <Cell className="max-w-60 break-all font-mono text-xs">
                {item.withdrawalId === null ? (
                  item.subject
                ) : (
                  <Link
                    href={`/operator/withdrawals/${item.withdrawalId}`}
                    prefetch={false}
                    className="text-accent underline"
                  >
                    {item.subject}
                  </Link>
                )}
              </Cell>
              <Cell className="text-muted">
                <TimeText at={item.openedAt} />
              </Cell>
              <Cell className="max-w-72">
                <Detail detail={item.detail} />
              </Cell>
              <Cell className="space-y-2">
                {item.caseId === null ? (
                  <Deed
                    label={reconciliation.openCase}
                    says={reconciliation.openCaseSays}
                    asksReason
                    blocked={readsOnly}
                    run={async ({ reason }) => {
                      const { discrepancyId } = item;
                      await operator.reconciliation.openCase.mutate({ discrepancyId, reason });
                      return reconciliation.caseOpened;
                    }}
                  />
                ) : (
                  <Link
                    href={`/operator/cases#case-${item.caseId}`}
                    prefetch={false}
                    className="inline-flex min-h-8 items-center text-accent underline"
                  >
                    {reconciliation.toCase}
                  </Link>
                )}
                <Deed
                  label={reconciliation.close}
                  says={reconciliation.closeSays}
                  asksReason
                  blocked={readsOnly}
                  run={async ({ reason }) => {
                    const { discrepancyId } = item;
                    await operator.reconciliation.closeDiscrepancy.mutate({ discrepancyId, reason });
                    return reconciliation.closed;
                  }}
                />
              </Cell>
            </tr>
          ))}
        </DataTable>
      )}
      <ShowMore query={query} />
    </section>
  );
}

/** What was found, each under its name. */
function Detail({ detail }: { detail: Readonly<Record<string, unknown>> }) {
  const { code } = useWords();
  return (
    <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 text-xs">
      {Object.entries(detail).map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="text-muted">{code(name)}</dt>
          <dd className="break-all font-mono leading-4">{typeof value === 'string' ? value : JSON.stringify(value)}</dd>
        </div>
      ))}
    </dl>
  );
}
