'use client';

import { useEffect, useState } from 'react';
import { useWords } from '../_words/use-words.ts';
import { clockTime } from './time-text.tsx';
import { Notice } from './ui/notice.tsx';

const AHEAD_MS = 15 * 60_000; // Long enough to finish a form and its step-up.
const LOOK_EVERY_MS = 30_000;

/** Says ahead that the sign-in runs out, and that what is under review is kept. */
export function SessionEnd({ at }: { at: string }) {
  const { site } = useWords();
  const [isNear, setIsNear] = useState(false);
  useEffect(() => {
    // A page that stays open for days looks again: a timer of days would drift, and one above 24 days fires at once.
    const look = () => setIsNear(Date.parse(at) - Date.now() < AHEAD_MS);
    look();
    const timer = setInterval(look, LOOK_EVERY_MS);
    return () => clearInterval(timer);
  }, [at]);
  return (
    <div role="status" className={isNear ? undefined : 'absolute'}>
      {isNear && (
        <Notice tone="warn" title={site.sessionEnds(clockTime(at))} data-testid="session-end">
          <p>{site.sessionEndsMore}</p>
        </Notice>
      )}
    </div>
  );
}
