'use client';

import { use } from 'react';
import { type AccountWords, enAccount } from './en-account.ts';
import { useLanguage } from './language-provider.tsx';

let german: Promise<AccountWords> | undefined;

/** The words of the pages around an account, in the person's language. */
export function useAccountWords(): AccountWords {
  if (useLanguage() === 'en') return enAccount;
  german ??= import('./de-account.ts').then((file) => file.deAccount);
  return use(german);
}
