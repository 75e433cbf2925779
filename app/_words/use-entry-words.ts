'use client';

import { use } from 'react';
import { type EntryWords, enEntry } from './en-entry.ts';
import { useLanguage } from './language-provider.tsx';

let german: Promise<EntryWords> | undefined;

/** The words before sign-in, in the person's language. */
export function useEntryWords(): EntryWords {
  if (useLanguage() === 'en') return enEntry;
  german ??= import('./de-entry.ts').then((file) => file.deEntry);
  return use(german);
}
