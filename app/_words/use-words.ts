'use client';

import { use } from 'react';
import { en, type Words } from './en.ts';
import { useLanguage } from './language-provider.tsx';

let german: Promise<Words> | undefined;

/** The words of the person's language. Only who reads German loads German; the server has rendered the page by then. */
export function useWords(): Words {
  if (useLanguage() === 'en') return en;
  german ??= import('./de.ts').then((file) => file.de);
  return use(german);
}
