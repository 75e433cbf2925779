const EXPECTING_MS = 700; // Somebody has just pressed, and a block takes a second.
const PENDING_MS = 2_000; // A person notices two seconds; more often would only cost.
const RESTING_MS = 15_000; // Whoever sends from elsewhere waits for a block anyway.

type SeenDeposit = { status: 'pending' | 'credited'; transactionHash: string };

/** Milliseconds until the list is asked for again. @param expected hashes of transactions that are known to be under way */
export function nextDepositPollMs(items: readonly SeenDeposit[], expected: readonly string[]): number {
  const seen = new Set(items.map(({ transactionHash }) => transactionHash));
  if (expected.some((hash) => !seen.has(hash))) return EXPECTING_MS;
  return items.some(({ status }) => status === 'pending') ? PENDING_MS : RESTING_MS;
}
