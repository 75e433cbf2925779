'use client';

import { useInfiniteQuery } from '@tanstack/react-query';
import { TimeText } from '../../../_components/time-text.tsx';
import { useTRPC } from '../../../_trpc/trpc-provider.tsx';
import { useRoomWords } from '../../../_words/use-room-words.ts';
import { AuditVerification } from './audit-verification.tsx';
import { CsvDownload } from './csv-download.tsx';
import { Cell, DataTable } from './data-table.tsx';
import { EmptyNote } from './empty-note.tsx';
import { LiveHeading } from './live-heading.tsx';
import { SearchForm, useSearchText } from './search-form.tsx';
import { ShowMore } from './show-more.tsx';

const PAGE_SIZE = 50;
const REFRESH_MS = 15_000;

/** Who did what, with the chain that a press verifies. */
export function AuditPage() {
  const room = useRoomWords();
  const { audit } = room;
  const trpc = useTRPC();
  const search = useSearchText();
  const filter = { search: search === '' ? null : search };
  const query = useInfiniteQuery({
    ...trpc.operator.audit.list.infiniteQueryOptions(
      { limit: PAGE_SIZE, ...filter },
      { initialCursor: null, getNextPageParam: (page) => page.nextCursor },
    ),
    refetchInterval: REFRESH_MS,
  });
  const items = query.data?.pages.flatMap((page) => page.items);
  const { when, who, what, subject, change } = audit.columns;
  return (
    <>
      <LiveHeading
        title={room.pages.audit}
        lead={audit.lead}
        query={query}
        aside={
          <CsvDownload
            path="/api/operator/audit.csv"
            asked={(): Record<string, string> => (search === '' ? {} : { search })}
          />
        }
      />
      <AuditVerification />
      <SearchForm label={audit.search} button={audit.find} path="/operator/audit" />
      {items?.length === 0 && <EmptyNote>{audit.empty}</EmptyNote>}
      {items !== undefined && items.length > 0 && (
        <DataTable caption={room.pages.audit} columns={['#', when, who, what, subject, change]}>
          {items.map((record) => (
            <tr key={record.seq}>
              <Cell className="tabular-nums">{record.seq}</Cell>
              <Cell className="whitespace-nowrap text-muted">
                <TimeText at={record.at} />
              </Cell>
              <Cell>{record.actor}</Cell>
              <Cell className="font-medium">{record.action}</Cell>
              <Cell className="break-all font-mono text-xs">{record.subject}</Cell>
              <Cell className="max-w-96 font-mono text-xs [overflow-wrap:anywhere]">
                {record.before !== null && (
                  <span className="block text-muted">
                    {audit.before}: {record.before}
                  </span>
                )}
                {record.after !== null && (
                  <span className="block">
                    {audit.after}: {record.after}
                  </span>
                )}
              </Cell>
            </tr>
          ))}
        </DataTable>
      )}
      <ShowMore query={query} />
    </>
  );
}
