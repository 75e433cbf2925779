'use client';

import { useEffect, useState } from 'react';
import { useWords } from '../_words/use-words.ts';

const TICK_MS = 1_000;

/** How long until a moment, by the second in its last hour. `onEnd` is called once when it has come. */
export function CountDown({
  until,
  wrap,
  onEnd,
}: {
  until: string;
  wrap: (time: string) => string;
  onEnd: () => void;
}) {
  const { language } = useWords();
  const [leftMs, setLeftMs] = useState<number | null>(null);
  useEffect(() => {
    const look = () => Math.max(0, Date.parse(until) - Date.now());
    setLeftMs(look());
    const timer = setInterval(() => {
      const left = look();
      setLeftMs(left);
      if (left === 0) {
        clearInterval(timer);
        onEnd();
      }
    }, TICK_MS);
    return () => clearInterval(timer);
  }, [until, onEnd]);
  // The server's clock is not the page's: it writes the moment, the page writes the rest.
  if (leftMs === null) return null;
  return <span className="tabular-nums">{wrap(spanText(leftMs, language))}</span>;
}

/** "23 h 12 min", and in the last hour "4 min 05 s". */
function spanText(ms: number, language: string): string {
  const seconds = Math.ceil(ms / 1_000);
  const unit = (value: number, name: 'hour' | 'minute' | 'second') =>
    new Intl.NumberFormat(language, { style: 'unit', unit: name, unitDisplay: 'short' }).format(value);
  const hours = Math.floor(seconds / 3_600);
  const minutes = Math.floor((seconds % 3_600) / 60);
  if (hours > 0) return `${unit(hours, 'hour')} ${unit(minutes, 'minute')}`;
  return minutes > 0 ? `${unit(minutes, 'minute')} ${unit(seconds % 60, 'second')}` : unit(seconds, 'second');
}
