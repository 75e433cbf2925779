'use client';

import { useQuery } from '@tanstack/react-query';
import { classNames } from '../../../_components/ui/class-names.ts';
import { Notice } from '../../../_components/ui/notice.tsx';
import { Skeleton } from '../../../_components/ui/skeleton.tsx';
import { useTRPC } from '../../../_trpc/trpc-provider.tsx';
import { useRoomWords } from '../../../_words/use-room-words.ts';
import { useWords } from '../../../_words/use-words.ts';
import { Cell, DataTable } from './data-table.tsx';

const REFRESH_MS = 5_000;

/** Our row, custody's list and the chain, fact by fact, with what differs marked by word and colour. */
export function BooksTable({ withdrawalId }: { withdrawalId: string }) {
  const { books } = useRoomWords();
  const { site } = useWords();
  const trpc = useTRPC();
  const query = useQuery({
    ...trpc.operator.overview.books.queryOptions({ withdrawalId }),
    refetchInterval: REFRESH_MS,
  });
  if (query.data === undefined) {
    return query.isError ? <Notice tone="bad" title={site.couldNotLoad} /> : <Skeleton className="h-60 w-full" />;
  }
  const { lines, differences, custodyAnswered } = query.data;
  const { field, ours, custody, chain } = books.columns;
  return (
    <section className="space-y-3">
      <h2 className="font-semibold">{books.title}</h2>
      <p className={differences === 0 ? 'text-good text-sm' : 'font-semibold text-bad text-sm'}>
        {differences === 0 ? books.agree : books.differ(differences)}
        {!custodyAnswered && <span className="text-warn"> {books.custodySilent}</span>}
      </p>
      <DataTable caption={books.title} columns={[field, ours, custody, chain]}>
        {lines.map((line) => (
          <tr key={line.field} className={classNames(line.differs && 'bg-bad-soft')}>
            <th scope="row" className="px-4 py-3 text-left align-top font-medium">
              {books.fields[line.field]}
              {line.differs && <span className="block text-bad text-xs">{books.differs}</span>}
            </th>
            {[line.ours, line.custody, line.chain].map((text, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: three books in one order.
              <Cell key={index} className="max-w-60 break-all font-mono text-xs">
                {text ?? '–'}
              </Cell>
            ))}
          </tr>
        ))}
      </DataTable>
    </section>
  );
}
