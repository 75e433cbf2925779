import { createHmac, timingSafeEqual } from 'node:crypto';

export const COOKIE_PREFIX = 'cryptoex';

/** The one cookie that signs somebody in. Over https the browser itself refuses to take it from an insecure page. */
export function sessionCookieName(publicUrl: string): string {
  return `${publicUrl.startsWith('https:') ? '__Secure-' : ''}${COOKIE_PREFIX}.session_token`;
}

/**
 * The session token in a `Cookie` header, or null where there is none or its signature is not ours. The accounts library
 * writes `token.signature`, an HMAC-SHA-256 in base64, encoded as a URI component.
 */
export function readSessionToken(cookieHeader: string | null, name: string, secret: string): string | null {
  const value = findCookie(cookieHeader ?? '', name);
  if (value === null) return null;
  const dot = value.lastIndexOf('.');
  if (dot < 1) return null;
  const token = value.slice(0, dot);
  const expected = createHmac('sha256', secret).update(token).digest();
  const given = Buffer.from(value.slice(dot + 1), 'base64');
  return given.length === expected.length && timingSafeEqual(given, expected) ? token : null;
}

/** The value of a cookie, decoded; null where there is none, or none that can be decoded. */
export function findCookie(header: string, name: string): string | null {
  for (const part of header.split(';')) {
    const equals = part.indexOf('=');
    if (equals > 0 && part.slice(0, equals).trim() === name) return decode(part.slice(equals + 1).trim());
  }
  return null;
}

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    // Not written by us: the same as no cookie.
    return null;
  }
}
