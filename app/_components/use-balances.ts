import { useQuery } from '@tanstack/react-query';
import { useTRPC } from '../_trpc/trpc-provider.tsx';

const REFRESH_MS = 15_000; // Deposits and finished withdrawals change it; nobody waits for it by the second.

/** What the person owns, asked for anew by every page that shows it: whoever comes from a withdrawal sees what is left. */
export function useBalances() {
  const trpc = useTRPC();
  return useQuery({
    ...trpc.account.balances.queryOptions(),
    refetchInterval: REFRESH_MS,
    refetchOnMount: 'always',
  });
}
