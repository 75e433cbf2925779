import { afterEach, expect, test, vi } from 'vitest';
import { deError, enError, errorWords, visitLanguage } from './en-error.ts';

afterEach(() => vi.unstubAllGlobals());

test.each([
  ['theme=dark; language=de', ['en-GB'], 'de', deError],
  ['language=en', ['de-DE', 'de'], 'en', enError],
  ['mylanguage=en', ['de-CH', 'en'], 'de', deError],
  ['language=fr', ['fr'], 'en', enError],
  ['', [], 'en', enError],
])(
  'with the cookies "%s" and a browser that asks for %j a document that broke speaks %s',
  (cookie, languages, language, words) => {
    vi.stubGlobal('document', { cookie });
    vi.stubGlobal('navigator', { languages });
    expect(visitLanguage()).toBe(language);
    expect(errorWords(visitLanguage())).toBe(words);
  },
);
