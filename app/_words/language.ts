/** The languages that every page speaks whole. */
export type Language = 'en' | 'de';

/** The language of a cookie's text; English for anything else. */
export function toLanguage(text: string | undefined): Language {
  return text === 'de' ? 'de' : 'en';
}
