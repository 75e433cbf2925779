/** What every answer carries, pages and data alike. */
export function securityHeaders(input: { isSecure: boolean }): Readonly<Record<string, string>> {
  return {
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'strict-origin-when-cross-origin',
    'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=()',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    ...(input.isSecure ? { 'strict-transport-security': 'max-age=63072000; includeSubDomains' } : {}),
  };
}

/**
 * What built scripts and styles carry: no page, so nothing for a page's policies to act on, and each header is paid for
 * with every file of a first load.
 */
export const STATIC_HEADERS: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'same-origin',
};

/** The policy of data answers: nothing in them is ever shown as a page. */
export const DATA_CONTENT_POLICY = "default-src 'none'; frame-ancestors 'none'";

/** The policy of the queue's own dashboard: its scripts are files of ours, and nothing is fetched from elsewhere. */
export const QUEUE_BOARD_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  // It names the folder of its own scripts.
  "base-uri 'self'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/**
 * The policy of one page: only scripts that carry this page's nonce run. The page renderer reads the nonce from the
 * request's own header of this name and puts it on every script it writes.
 *
 * @param input.dev the development server evaluates modules and opens a socket
 */
export function pageContentPolicy(input: { nonce: string; dev: boolean }): string {
  return [
    "default-src 'self'",
    `script-src 'self' 'nonce-${input.nonce}' 'strict-dynamic'${input.dev ? " 'unsafe-eval'" : ''}`,
    // Components position themselves by style attributes, which no nonce can cover.
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    `connect-src 'self'${input.dev ? ' ws:' : ''}`,
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
}
