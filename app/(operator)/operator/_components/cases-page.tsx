'use client';

import { useInfiniteQuery } from '@tanstack/react-query';
import { useRouter, useSearchParams } from 'next/navigation';
import { useTRPC } from '../../../_trpc/trpc-provider.tsx';
import { useRoomWords } from '../../../_words/use-room-words.ts';
import { CaseCard } from './case-card.tsx';
import { EmptyNote } from './empty-note.tsx';
import { LiveHeading } from './live-heading.tsx';
import { ShowMore } from './show-more.tsx';
import { useNamedRow } from './use-named-row.ts';

const REFRESH_MS = 5_000;
const PAGE_SIZE = 20;

/** Contradictions for people: what was found, what it stopped, and the way out by two. First the one that the address names. */
export function CasesPage() {
  const room = useRoomWords();
  const { cases } = room;
  const trpc = useTRPC();
  const router = useRouter();
  const open = useSearchParams().get('show') !== 'all';
  const named = useNamedRow('case-');
  const query = useInfiniteQuery({
    ...trpc.operator.cases.list.infiniteQueryOptions(
      { limit: PAGE_SIZE, open, named },
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
          onChange={(event) =>
            router.replace(event.target.checked ? '/operator/cases' : '/operator/cases?show=all', { scroll: false })
          }
          className="size-5 accent-accent"
        />
        {cases.onlyOpen}
      </label>
      {items?.length === 0 && <EmptyNote>{open ? cases.empty : cases.emptyAll}</EmptyNote>}
      {items?.map((one) => (
        <CaseCard key={one.caseId} one={one} />
      ))}
      <ShowMore query={query} />
    </>
  );
}
