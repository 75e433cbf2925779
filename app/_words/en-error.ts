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

/** The words in the language that the document says; a broken page has no other place to ask. */
export function errorWords(): typeof enError {
  return typeof document !== 'undefined' && document.documentElement.lang === 'de' ? deError : enError;
}
