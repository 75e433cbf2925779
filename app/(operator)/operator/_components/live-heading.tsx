'use client';

import type { ReactNode } from 'react';
import { AgeText } from '../../../_components/age-text.tsx';
import { PageHeading } from '../../../_components/page-heading.tsx';
import { Notice } from '../../../_components/ui/notice.tsx';
import { Skeleton } from '../../../_components/ui/skeleton.tsx';
import { useOperatorWords } from '../../../_words/use-operator-words.ts';
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
  const operator = useOperatorWords();
  const { site } = useWords();
  return (
    <>
      <div className="space-y-1">
        <PageHeading
          aside={
            <div className="flex flex-wrap items-center gap-3">
              {query.data !== undefined && (
                <span className={query.isError ? 'text-bad text-sm' : 'text-muted text-sm'}>
                  {query.isError ? operator.stale : <AgeText atMs={query.dataUpdatedAt} wrap={operator.updated} />}
                </span>
              )}
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
