'use client';

import { useInfiniteQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { useTRPC } from '../../../_trpc/trpc-provider.tsx';
import { useRoomWords } from '../../../_words/use-room-words.ts';
import { DoubtCard } from './doubt-card.tsx';
import { EmptyNote } from './empty-note.tsx';
import { LiveHeading } from './live-heading.tsx';
import { ShowMore } from './show-more.tsx';
import { useNamedRow } from './use-named-row.ts';

const REFRESH_MS = 3_000; // Whoever pressed "look up now" waits for the answer here.
const PAGE_SIZE = 20;

/** Every withdrawal whose outcome nobody knows, with its evidence; first the one that the address names. */
export function InDoubtPage() {
  const room = useRoomWords();
  const trpc = useTRPC();
  const named = useNamedRow('doubt-');
  const query = useInfiniteQuery({
    ...trpc.operator.doubts.list.infiniteQueryOptions(
      { limit: PAGE_SIZE, named },
      { initialCursor: null, getNextPageParam: (page) => page.nextCursor },
    ),
    refetchInterval: REFRESH_MS,
  });
  const pages = query.data?.pages;
  const items = pages?.flatMap((page) => page.items);
  return (
    <>
      <LiveHeading title={room.pages.inDoubt} lead={room.doubts.lead} query={query} />
      {named !== null && items !== undefined && items[0]?.withdrawalId !== named && (
        <EmptyNote>
          {room.notWaiting}{' '}
          <Link href={`/operator/withdrawals/${named}`} prefetch={false} className="text-accent underline">
            {room.cases.withdrawal}
          </Link>
        </EmptyNote>
      )}
      {items?.length === 0 && <EmptyNote>{room.doubts.empty}</EmptyNote>}
      {items?.map((doubt) => (
        <DoubtCard key={doubt.withdrawalId} doubt={doubt} custodySigns={pages?.[0]?.custodySigns === true} />
      ))}
      <ShowMore query={query} />
    </>
  );
}
