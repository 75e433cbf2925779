import { WITHDRAWAL_STATUSES, type WithdrawalStatus } from '#domain/withdrawal.ts';

/** The filters of the history, as they stand in the address of the page. Empty is no matter. */
export type HistoryFilter = {
  status: string;
  asset: string;
  network: string;
  /** A day by the person's calendar, `2026-11-30`; both days are meant whole. */
  from: string;
  until: string;
  search: string;
};

export const NO_FILTER: HistoryFilter = { status: '', asset: '', network: '', from: '', until: '', search: '' };

/** Reads the filters of an address; what is none of ours is dropped. */
export function readHistoryFilter(params: { get: (name: string) => string | null }): HistoryFilter {
  const text = (name: string) => params.get(name)?.trim().slice(0, 200) ?? '';
  const day = (name: string) => (/^\d{4}-\d{2}-\d{2}$/.test(text(name)) ? text(name) : '');
  return {
    status: toStatus(text('status')) ?? '',
    asset: text('asset'),
    network: text('network'),
    from: day('from'),
    until: day('until'),
    search: text('search'),
  };
}

/** The address part of the filters that are set, without a question mark. */
export function historySearch(filter: HistoryFilter): string {
  return new URLSearchParams(Object.entries(filter).filter(([, value]) => value !== '')).toString();
}

/** What the server is asked for. A day begins and ends where the person is. */
export function historyQuery(filter: HistoryFilter) {
  return {
    status: toStatus(filter.status),
    asset: filter.asset || null,
    network: filter.network || null,
    from: dayStart(filter.from, 0),
    until: dayStart(filter.until, 1),
    search: filter.search || null,
  };
}

function toStatus(text: string): WithdrawalStatus | null {
  return WITHDRAWAL_STATUSES.find((status) => status === text) ?? null;
}

function dayStart(day: string, daysLater: number): string | null {
  const [year, month, date] = day.split('-').map(Number);
  if (year === undefined || month === undefined || date === undefined) return null;
  const start = new Date(year, month - 1, date + daysLater);
  return Number.isNaN(start.getTime()) ? null : start.toISOString();
}
