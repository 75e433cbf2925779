/** The words of the page that says another page broke. Apart, because every page downloads them. */
export const enError = {
  title: 'This page could not be shown',
  more: 'Your withdrawals are not affected. Load the page again; if that does not help, come back in a few minutes.',
  again: 'Load again',
  reference: 'Reference',
};
