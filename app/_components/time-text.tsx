'use client';

import { useSyncExternalStore } from 'react';
import { useWords } from '../_words/use-words.ts';

/** A time in the person's own zone and locale, with UTC in the title. The server, which has no zone of theirs, writes UTC. */
export function TimeText({ at, className }: { at: string; className?: string }) {
  const { language } = useWords();
  const inBrowser = useSyncExternalStore(
    neverChanges,
    () => true,
    () => false,
  );
  const utc = at.replace('T', ' ').replace(/(\.\d+)?Z$/, ' UTC');
  const date = new Date(at);
  const local = new Intl.DateTimeFormat([navigatorLanguage(), language], { dateStyle: 'medium', timeStyle: 'medium' });
  return (
    <time dateTime={at} title={utc} className={className}>
      {inBrowser && !Number.isNaN(date.getTime()) ? local.format(date) : utc}
    </time>
  );
}

/** Hour and minute in the person's zone, for a sentence. */
export function clockTime(at: string): string {
  return new Intl.DateTimeFormat(navigatorLanguage(), { hour: '2-digit', minute: '2-digit' }).format(new Date(at));
}

function navigatorLanguage(): string {
  return typeof navigator === 'undefined' ? 'en' : navigator.language;
}

function neverChanges() {
  return () => undefined;
}
