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
  const local = new Intl.DateTimeFormat(localeOf(language), {
    // The month as a word: 04/05 is two days, depending on who reads it.
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    timeZoneName: 'short',
  });
  return (
    <time dateTime={at} title={utc} className={className}>
      {inBrowser && !Number.isNaN(date.getTime()) ? local.format(date) : utc}
    </time>
  );
}

/** Hour and minute in the person's zone, for a sentence. */
export function clockTime(at: string): string {
  return new Intl.DateTimeFormat(localeOf(document.documentElement.lang), {
    hour: '2-digit',
    minute: '2-digit',
  }).format(new Date(at));
}

/** Day, hour and minute in the person's zone, for a sentence about another day. */
export function dayTime(at: string): string {
  return new Intl.DateTimeFormat(localeOf(document.documentElement.lang), {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
    timeZoneName: 'short',
  }).format(new Date(at));
}

/** The person's own variety of the page's language, `en-GB` for a page in English; never another language. */
function localeOf(language: string): string {
  if (typeof navigator === 'undefined') return language;
  return navigator.languages.find((one) => one.split('-')[0] === language) ?? language;
}

function neverChanges() {
  return () => undefined;
}
