/** Only the shape counts: the origin is a stand-in that no path of ours names. */
const ORIGIN = 'https://here.invalid';

/** Where to go after sign-in: a path of this site, or the start page. A link must not send a person elsewhere. */
export function safeReturnPath(next: string | string[] | undefined): string {
  if (typeof next !== 'string' || !next.startsWith('/') || !URL.canParse(next, ORIGIN)) return '/';
  const url = new URL(next, ORIGIN);
  if (url.origin !== ORIGIN || url.pathname.startsWith('//') || url.pathname.startsWith('/sign-in')) return '/';
  return `${url.pathname}${url.search}`;
}
