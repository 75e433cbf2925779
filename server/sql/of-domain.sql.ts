/**
 * Whether a user `u` has an e-mail of a domain, behind one e-mail in the order of the index. A range of both columns and no equality: by
 * one, the planner would walk everybody in the order of e-mails.
 */
export function ofDomain(domain: string, after: string): string {
  return `(split_part(u.email, '@', 2), u.email) > (${domain}, ${after}) and (split_part(u.email, '@', 2), u.email) < (${domain}, chr(1114111))`;
}

/** The order of that index. */
export const BY_DOMAIN = `split_part(u.email, '@', 2), u.email`;
