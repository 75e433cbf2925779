'use client';

import { useEffect, useState } from 'react';
import { useWords } from '../_words/use-words.ts';

const TICK_MS = 1_000; // The age is shown in whole seconds.

const UNITS = [
  [3_600, 'hour'],
  [60, 'minute'],
] as const;

/** How long ago a moment of this page's clock was: "5 seconds ago". Not announced: only steps are. */
export function AgeText({ atMs, wrap }: { atMs: number; wrap: (age: string) => string }) {
  const { language } = useWords();
  // What comes out of the cache of a page before is as old as it is from the first paint on.
  const [nowMs, setNowMs] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  const seconds = Math.max(0, Math.round((nowMs - atMs) / 1_000));
  const format = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
  const [size, unit] = UNITS.find(([least]) => seconds >= least) ?? [1, 'second'];
  const age = format.format(-Math.floor(seconds / size), unit);
  return <span className="tabular-nums">{wrap(age)}</span>;
}
