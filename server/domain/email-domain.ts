/** The domain of e-mail addresses that a search names, as `@example.com` or `example.com`, in lower case; null where it names none. */
export function emailDomainOf(search: string): string | null {
  const name = search.trim().toLowerCase().replace(/^@/, '');
  return /^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(name) ? name : null;
}
