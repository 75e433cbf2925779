'use client';

import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { durationText } from '../../../_components/duration-text.ts';
import { useTRPC, useTRPCClient } from '../../../_trpc/trpc-provider.tsx';
import { useRoomWords } from '../../../_words/use-room-words.ts';
import { useWords } from '../../../_words/use-words.ts';
import { Cell, DataTable } from './data-table.tsx';
import { Deed } from './deed.tsx';
import { EmptyNote } from './empty-note.tsx';
import { LiveHeading } from './live-heading.tsx';
import type { DeadLetter } from './room-types.ts';
import { ShowMore } from './show-more.tsx';
import { useReadsOnly } from './use-reads-only.ts';

const REFRESH_MS = 4_000;
const PAGE_SIZE = 50;

/** What waits where, and the board of what did not go on by itself. */
export function QueuesPage() {
  const room = useRoomWords();
  const { queues, overview } = room;
  const trpc = useTRPC();
  const house = useQuery({ ...trpc.operator.overview.show.queryOptions(), refetchInterval: REFRESH_MS });
  const query = useInfiniteQuery({
    ...trpc.operator.queues.deadLetters.infiniteQueryOptions(
      { limit: PAGE_SIZE },
      { initialCursor: null, getNextPageParam: (page) => page.nextCursor },
    ),
    refetchInterval: REFRESH_MS,
  });
  const { what, reason, tries, age } = queues.columns;
  const items = query.data?.pages.flatMap((page) => page.items);
  const total = query.data?.pages[0]?.total ?? 0;
  return (
    <>
      <LiveHeading title={room.pages.queues} lead={queues.lead} query={query} />
      {house.data !== undefined && (
        <dl className="grid grid-cols-[repeat(auto-fit,minmax(15rem,1fr))] gap-2.5 text-sm">
          <Tile name={overview.outbox} value={overview.waiting(house.data.outbox.waiting)} />
          <Tile name={overview.inbox} value={overview.waiting(house.data.inbox.waiting)} />
          <Tile
            name={overview.queue}
            value={house.data.queue === null ? overview.redisSilent : overview.jobs(house.data.queue)}
          />
        </dl>
      )}
      <p className="text-sm">
        {/* Another page of another library: not one that our router may fetch. */}
        <a href="/operator/queue-board" className="text-accent underline">
          {queues.board}
        </a>
        , {queues.boardMore}
      </p>
      <section className="space-y-3">
        <h2 className="font-semibold">
          {queues.letters}
          {total > 0 && <span className="text-muted tabular-nums"> {total}</span>}
        </h2>
        {items?.length === 0 && <EmptyNote>{queues.empty}</EmptyNote>}
        {items !== undefined && items.length > 0 && (
          <DataTable caption={queues.letters} columns={[what, reason, tries, age, queues.retry]}>
            {items.map((letter) => (
              <Row key={`${letter.kind} ${letter.id}`} letter={letter} />
            ))}
          </DataTable>
        )}
        <ShowMore query={query} />
      </section>
    </>
  );
}

function Tile({ name, value }: { name: string; value: string }) {
  return (
    <div className="rounded-xl border border-line bg-surface px-4 py-3">
      <dt className="text-muted">{name}</dt>
      <dd className="font-semibold tabular-nums">{value}</dd>
    </div>
  );
}

function Row({ letter }: { letter: DeadLetter }) {
  const room = useRoomWords();
  const { queues } = room;
  const { code } = useWords();
  const readsOnly = useReadsOnly();
  const { operator } = useTRPCClient();
  const { kind, id, withdrawalId } = letter;
  const blocked = readsOnly ?? (kind === 'notice' ? queues.notice : null);
  return (
    <tr>
      <Cell>
        {queues.kinds[kind]}
        <span className="block break-all font-mono text-xs">
          {withdrawalId === null ? (
            id
          ) : (
            <Link
              href={`/operator/withdrawals/${withdrawalId}`}
              prefetch={false}
              className="text-accent hover:underline"
            >
              {id}
            </Link>
          )}
        </span>
      </Cell>
      <Cell>
        {code(letter.reason)}
        {kind === 'withdrawal' && <span className="block max-w-72 text-muted text-xs">{queues.parkedNote}</span>}
      </Cell>
      <Cell className="tabular-nums">{letter.tries}</Cell>
      <Cell className="whitespace-nowrap tabular-nums">{durationText(letter.ageSeconds)}</Cell>
      <Cell>
        <Deed
          label={queues.retry}
          says={queues.retrySays}
          blocked={blocked}
          run={async () => {
            if (kind === 'notice') return queues.notice;
            const answer = await operator.queues.retry.mutate({ kind, id });
            return answer.kind === 'woken' ? queues.woken : queues.awake;
          }}
        />
      </Cell>
    </tr>
  );
}
