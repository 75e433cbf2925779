'use client';

import type { ReactNode } from 'react';
import { AnswerAge } from '../../../_components/answer-age.tsx';
import { PageHeading } from '../../../_components/page-heading.tsx';
import { Notice } from '../../../_components/ui/notice.tsx';
import { Skeleton } from '../../../_components/ui/skeleton.tsx';
import { useWords } from '../../../_words/use-words.ts';

type Query = { data: unknown; isError: boolean; isPending: boolean; dataUpdatedAt: number };

/** The page's heading with the age of what it shows, and what stands in its place before and without an answer. */
export function LiveHeading({
  title,
  lead,
  query,
  aside,
}: {
  title: string;
  lead?: string;
  query: Query;
  aside?: ReactNode;
}) {
  const { site } = useWords();
  return (
    <>
      <div className="space-y-1">
        <PageHeading
          aside={
            <div className="flex flex-wrap items-center gap-3">
              <AnswerAge query={query} />
              {aside}
            </div>
          }
        >
          {title}
        </PageHeading>
        {lead !== undefined && <p className="max-w-3xl text-muted">{lead}</p>}
      </div>
      {query.isPending && <Skeleton className="h-80 w-full" />}
      {query.isError && query.data === undefined && <Notice tone="bad" title={site.couldNotLoad} />}
    </>
  );
}
