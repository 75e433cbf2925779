import { WITHDRAWAL_STATUSES, type WithdrawalStatus } from '#domain/withdrawal.ts';

/** What the list shows, as its URL says it: a link to a view is the view. */
export type ListFilters = { status: WithdrawalStatus | null; search: string; sort: 'worst_first' | 'newest' };

/** Reads filters from a query string; what it does not know falls back to everything, worst first. */
export function readListFilters(parameters: { get: (name: string) => string | null }): ListFilters {
  const status = WITHDRAWAL_STATUSES.find((known) => known === parameters.get('status')) ?? null;
  return {
    status,
    search: parameters.get('search')?.trim() ?? '',
    sort: parameters.get('sort') === 'newest' ? 'newest' : 'worst_first',
  };
}

/** Writes filters as a query string, leaving out what is the default. */
export function writeListFilters(filters: ListFilters): string {
  const parameters = new URLSearchParams();
  if (filters.status !== null) parameters.set('status', filters.status);
  if (filters.search !== '') parameters.set('search', filters.search);
  if (filters.sort !== 'worst_first') parameters.set('sort', filters.sort);
  const text = parameters.toString();
  return text === '' ? '' : `?${text}`;
}
