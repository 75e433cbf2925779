'use client';

import { createContext, type ReactNode, use } from 'react';
import type { Language } from '#domain/language.ts';

const LanguageContext = createContext<Language>('en');

/** Makes the language of the page known to everything in it; the server read it from the cookie. */
export function LanguageProvider({ language, children }: { language: Language; children: ReactNode }) {
  return <LanguageContext value={language}>{children}</LanguageContext>;
}

export function useLanguage(): Language {
  return use(LanguageContext);
}
