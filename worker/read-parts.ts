/** The parts of a worker. Each may run anywhere, any number of times. */
export const WORKER_PARTS = [
  'withdrawals',
  'outbox',
  'sweeper',
  'inbox',
  'resolver',
  'indexer',
  'ledger',
  'reconciliation',
  'invariants',
  'notifications',
  'prices',
] as const;

export type WorkerPart = (typeof WORKER_PARTS)[number];

/** The parts named on the command line; none named is all of them. @throws Error on a name that is no part */
export function readParts(names: readonly string[]): ReadonlySet<WorkerPart> {
  if (names.length === 0) return new Set(WORKER_PARTS);
  return new Set(
    names.map((name) => {
      const part = WORKER_PARTS.find((one) => one === name);
      if (part === undefined) throw new Error(`no such part: ${name} (parts: ${WORKER_PARTS.join(', ')})`);
      return part;
    }),
  );
}
