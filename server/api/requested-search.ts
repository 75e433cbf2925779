/** The query of the page that was asked for, `?status=…` or empty. Written by our own server, over whatever a client sent. */
export const REQUESTED_SEARCH_HEADER = 'x-requested-search';
