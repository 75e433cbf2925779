'use client';

import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../../_components/ui/button.tsx';
import { useTRPC } from '../../../_trpc/trpc-provider.tsx';
import { useOperatorWords } from '../../../_words/use-operator-words.ts';
import { useRoomWords } from '../../../_words/use-room-words.ts';
import { CaseCard } from './case-card.tsx';
import { EmptyNote } from './empty-note.tsx';
import { LiveHeading } from './live-heading.tsx';

const REFRESH_MS = 5_000;
const PAGE_SIZE = 20;

/** Contradictions for people: what was found, what it stopped, and the way out by two. */
export function CasesPage() {
  const room = useRoomWords();
  const { cases } = room;
  const { more } = useOperatorWords();
  const trpc = useTRPC();
  const [open, setOpen] = useState(true);
  const query = useInfiniteQuery({
    ...trpc.operator.cases.list.infiniteQueryOptions(
      { limit: PAGE_SIZE, open },
      { initialCursor: null, getNextPageParam: (page) => page.nextCursor },
    ),
    refetchInterval: REFRESH_MS,
  });
  const items = query.data?.pages.flatMap((page) => page.items);
  return (
    <>
      <LiveHeading title={room.pages.cases} lead={cases.lead} query={query} />
      <label className="inline-flex min-h-8 items-center gap-2 text-sm">
        <input
          type="checkbox"
          checked={open}
          onChange={(event) => setOpen(event.target.checked)}
          className="size-5 accent-accent"
        />
        {cases.onlyOpen}
      </label>
      {items?.length === 0 && <EmptyNote>{open ? cases.empty : cases.emptyAll}</EmptyNote>}
      {items?.map((one) => (
        <CaseCard key={one.caseId} one={one} />
      ))}
      {query.hasNextPage && (
        <Button busy={query.isFetchingNextPage} onClick={() => !query.isFetchingNextPage && query.fetchNextPage()}>
          {more}
        </Button>
      )}
    </>
  );
}
