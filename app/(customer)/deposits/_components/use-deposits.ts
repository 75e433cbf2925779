import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTRPC } from '../../../_trpc/trpc-provider.tsx';
import { nextDepositPollMs } from './deposit-poll.ts';

/** What has come in, asked for again as fast as there is something to see. */
export function useDeposits() {
  const trpc = useTRPC();
  // Sent by the faucet and in no block that we have read yet.
  const [expected, setExpected] = useState<readonly string[]>([]);
  const query = useQuery({
    ...trpc.deposit.list.queryOptions({ limit: 50 }),
    refetchInterval: ({ state }) => nextDepositPollMs(state.data?.items ?? [], expected),
  });
  return { query, expect: (transactionHash: string) => setExpected((before) => [...before, transactionHash]) };
}
