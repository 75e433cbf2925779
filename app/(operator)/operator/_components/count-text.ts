import { isTerminal, type WithdrawalStatus } from '#domain/withdrawal.ts';

/** The server counts no further: ten thousand of what is open, a thousand of what has ended. */
const COUNTED_MAX = { open: 10_000, ended: 1_000 };

export function countText(count: number, status: WithdrawalStatus): string {
  const most = isTerminal(status) ? COUNTED_MAX.ended : COUNTED_MAX.open;
  return count > most ? `${most}+` : String(count);
}
