'use client';

import { useQuery } from '@tanstack/react-query';
import { useTRPC } from '../../../_trpc/trpc-provider.tsx';
import { useRoomWords } from '../../../_words/use-room-words.ts';
import { DoubtCard } from './doubt-card.tsx';
import { EmptyNote } from './empty-note.tsx';
import { LiveHeading } from './live-heading.tsx';

const REFRESH_MS = 3_000; // Whoever pressed "look up now" waits for the answer here.

/** Every withdrawal whose outcome nobody knows, with its evidence. */
export function InDoubtPage() {
  const room = useRoomWords();
  const trpc = useTRPC();
  const query = useQuery({ ...trpc.operator.doubts.list.queryOptions(), refetchInterval: REFRESH_MS });
  return (
    <>
      <LiveHeading title={room.pages.inDoubt} lead={room.doubts.lead} query={query} />
      {query.data?.items.length === 0 && <EmptyNote>{room.doubts.empty}</EmptyNote>}
      {query.data?.items.map((doubt) => (
        <DoubtCard key={doubt.withdrawalId} doubt={doubt} custodySigns={query.data.custodySigns} />
      ))}
    </>
  );
}
