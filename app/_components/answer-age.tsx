'use client';

import { CloudOff } from 'lucide-react';
import { useWords } from '../_words/use-words.ts';
import { AgeText } from './age-text.tsx';
import { classNames } from './ui/class-names.ts';
import { useIsOnline } from './use-is-online.ts';

type AnswerAgeProps = { query: { data: unknown; isError: boolean; dataUpdatedAt: number }; className?: string };

/**
 * How old what is shown is, and why it grows older where it does. Its line is there before the first answer, so that nothing
 * moves when one comes.
 */
export function AnswerAge({ query, className }: AnswerAgeProps) {
  const { site } = useWords();
  const isOnline = useIsOnline();
  const isShown = query.data !== undefined;
  const trouble = !isShown ? null : !isOnline ? site.offline : query.isError ? site.stale : null;
  return (
    <p className={classNames('min-h-5 text-sm', trouble === null ? 'text-muted' : 'text-warn', className)}>
      {trouble !== null && <CloudOff aria-hidden="true" className="mr-1.5 inline size-4 align-[-0.2em]" />}
      {/* Only the trouble is announced: an age that is read out each second would drown everything else. */}
      <span role="status">{trouble}</span> {isShown && <AgeText atMs={query.dataUpdatedAt} wrap={site.updated} />}
    </p>
  );
}
