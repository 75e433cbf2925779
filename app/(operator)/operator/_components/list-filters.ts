import { WITHDRAWAL_STATUSES, type WithdrawalStatus } from '#domain/withdrawal.ts';

const NARROWINGS = ['stuck', 'failed_today'] as const;

/** What the list shows, as its URL says it: a link to a view is the view. */
export type ListFilters = {
  status: WithdrawalStatus | null;
  search: string;
  sort: 'worst_first' | 'newest';
  /** Instead of all others: open and unmoved for ten minutes, or failed since midnight here. */
  only: (typeof NARROWINGS)[number] | null;
};

/** Reads filters from a query string; what it does not know falls back to everything, worst first. */
export function readListFilters(parameters: { get: (name: string) => string | null }): ListFilters {
  const status = WITHDRAWAL_STATUSES.find((known) => known === parameters.get('status')) ?? null;
  return {
    status,
    search: parameters.get('search')?.trim() ?? '',
    sort: parameters.get('sort') === 'newest' ? 'newest' : 'worst_first',
    only: NARROWINGS.find((known) => known === parameters.get('only')) ?? null,
  };
}

/** Writes filters as a query string, leaving out what is the default. */
export function writeListFilters(filters: ListFilters): string {
  const parameters = new URLSearchParams();
  if (filters.only !== null) parameters.set('only', filters.only);
  if (filters.only === null && filters.status !== null) parameters.set('status', filters.status);
  if (filters.only === null && filters.search !== '') parameters.set('search', filters.search);
  if (filters.only === null && filters.sort !== 'worst_first') parameters.set('sort', filters.sort);
  const text = parameters.toString();
  return text === '' ? '' : `?${text}`;
}

export type ListQuestion = Partial<{
  status: WithdrawalStatus;
  search: string;
  sort: ListFilters['sort'];
  stuck: boolean;
  failedSince: string;
}>;

/** What the server is asked for, without what is the default. Midnight is that of `now`. */
export function toListQuestion({ status, search, sort, only }: ListFilters, now: Date): ListQuestion {
  if (only === 'stuck') return { sort: 'worst_first', stuck: true };
  if (only === 'failed_today') {
    const midnight = new Date(now.getFullYear(), now.getMonth(), now.getDate());
    return { sort: 'newest', failedSince: midnight.toISOString() };
  }
  return { sort, ...(status === null ? {} : { status }), ...(search === '' ? {} : { search }) };
}
