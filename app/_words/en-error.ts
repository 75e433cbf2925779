import { chooseLanguage, type Language } from '#domain/language.ts';

/** The words of the page that says another page broke. Apart, because every page downloads them. */
export const enError = {
  title: 'This page could not be shown',
  more: 'Your withdrawals are not affected. Load the page again; if that does not help, come back in a few minutes.',
  again: 'Load again',
  reference: 'Reference',
};

export const deError: typeof enError = {
  title: 'Diese Seite ließ sich nicht zeigen',
  more: 'Ihre Auszahlungen betrifft das nicht. Laden Sie die Seite neu; hilft das nicht, kommen Sie in ein paar Minuten wieder.',
  again: 'Neu laden',
  reference: 'Referenz',
};

export function errorWords(language: string): typeof enError {
  return language === 'de' ? deError : enError;
}

/** The language by what the server chooses it by, for a page whose own document broke: the cookie, else what the browser asks for. */
export function visitLanguage(): Language {
  const chosen = /(?:^|;\s*)language=(\w+)/.exec(document.cookie)?.[1];
  return chooseLanguage({ chosen, accepted: navigator.languages.join() });
}
