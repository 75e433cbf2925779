import { cookies } from 'next/headers';
import { de } from './de.ts';
import { deAccount } from './de-account.ts';
import { deEntry } from './de-entry.ts';
import { en } from './en.ts';
import { enAccount } from './en-account.ts';
import { enEntry } from './en-entry.ts';
import { type Language, toLanguage } from './language.ts';

/** The language of this page request. */
export async function readLanguage(): Promise<Language> {
  return toLanguage((await cookies()).get('language')?.value);
}

/** Every word, on the server, in the language of this page request. */
export async function readWords() {
  return (await readLanguage()) === 'de'
    ? { ...de, account: deAccount, entry: deEntry }
    : { ...en, account: enAccount, entry: enEntry };
}
