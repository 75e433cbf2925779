import { cookies, headers } from 'next/headers';
import { chooseLanguage, type Language } from '#domain/language.ts';
import { de } from './de.ts';
import { deAccount } from './de-account.ts';
import { deEntry } from './de-entry.ts';
import { en } from './en.ts';
import { enAccount } from './en-account.ts';
import { enEntry } from './en-entry.ts';

/** The language of this page request. */
export async function readLanguage(): Promise<Language> {
  const chosen = (await cookies()).get('language')?.value;
  return chooseLanguage({ chosen, accepted: (await headers()).get('accept-language') });
}

/** Every word, on the server, in the language of this page request. */
export async function readWords() {
  return (await readLanguage()) === 'de'
    ? { ...de, account: deAccount, entry: deEntry }
    : { ...en, account: enAccount, entry: enEntry };
}
