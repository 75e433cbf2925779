'use client';

import { useEffect, useState } from 'react';
import { useWords } from '../_words/use-words.ts';

const TICK_MS = 1_000; // The age is shown in whole seconds.

/** How long ago a moment of this page's clock was: "5 seconds ago". Not announced: only steps are. */
export function AgeText({ atMs, wrap }: { atMs: number; wrap: (age: string) => string }) {
  const { language } = useWords();
  const [nowMs, setNowMs] = useState(atMs);
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  const seconds = Math.max(0, Math.round((nowMs - atMs) / 1_000));
  const format = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
  const age = seconds < 60 ? format.format(-seconds, 'second') : format.format(-Math.floor(seconds / 60), 'minute');
  return <span className="tabular-nums">{wrap(age)}</span>;
}
