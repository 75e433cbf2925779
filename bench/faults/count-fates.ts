import type { CustodyLogEntry } from '#e2e/proof/custody-control.ts';
import type { RivalRow } from './rival.ts';

/** What became of what customers were told is accepted; custody's log is the only witness of payments. */
export interface Fates {
  readonly accepted: number;
  /** Transfers beyond the first of one click. */
  readonly doubled: number;
  /** Accepted, and neither paid nor refused when the time was over: nobody is on it, or not in time. */
  readonly unpaid: number;
  /** Paid, and the row does not say so. */
  readonly unknown: number;
  /** Paid, and the row says that it failed; or the row says sent, and nothing was. */
  readonly wrong: number;
}

export function countFates(input: {
  asked: readonly { readonly key: string; readonly isAccepted: boolean }[];
  rows: readonly RivalRow[];
  log: readonly Pick<CustodyLogEntry, 'kind' | 'externalId'>[];
}): Fates {
  const transfers = new Map<string, number>();
  for (const { kind, externalId } of input.log)
    if (kind === 'created' && externalId !== null) transfers.set(externalId, (transfers.get(externalId) ?? 0) + 1);
  const says = new Map(input.rows.map((row) => [row.key, row.says]));
  const accepted = input.asked.filter(({ isAccepted }) => isAccepted);
  const count = (isSo: (paid: number, said: RivalRow['says'] | undefined) => boolean) =>
    accepted.filter(({ key }) => isSo(transfers.get(key) ?? 0, says.get(key))).length;
  return {
    accepted: accepted.length,
    doubled: [...transfers.values()].reduce((sum, number) => sum + number - 1, 0),
    unpaid: count((paid, said) => paid === 0 && (said === 'open' || said === undefined)),
    unknown: count((paid, said) => paid > 0 && (said === 'open' || said === undefined)),
    wrong: count((paid, said) => (paid > 0 ? said === 'failed' : said === 'sent')),
  };
}
