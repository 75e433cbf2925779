'use client';

import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { isTerminal } from '#domain/withdrawal.ts';
import type { WithdrawalStatus } from '../../../_trpc/api-types.ts';
import { readApiError } from '../../../_trpc/read-api-error.ts';
import { useTRPC } from '../../../_trpc/trpc-provider.tsx';
import { nextPollDelayMs } from './poll-schedule.ts';

/**
 * Polls one withdrawal: quick, then slow, until it ends. It rests while the page is hidden and asks at once when it
 * comes back. `checkedAt` is the epoch ms of the last good answer, by the page's clock, 0 before the first.
 */
export function useWithdrawalPoll(withdrawalId: string) {
  const trpc = useTRPC();
  const inStatus = useRef<{ status: WithdrawalStatus | null; since: number }>({ status: null, since: 0 });
  const query = useQuery({
    ...trpc.withdrawal.byId.queryOptions({ withdrawalId }),
    staleTime: 0,
    retry: false, // The schedule below is the retry.
    refetchOnWindowFocus: ({ state }) => (state.data !== undefined && isTerminal(state.data.status) ? false : 'always'),
    refetchIntervalInBackground: false,
    refetchInterval: ({ state }) => {
      const status = state.data?.status ?? null;
      const polls = state.dataUpdateCount + state.errorUpdateCount;
      if (inStatus.current.status !== status) inStatus.current = { status, since: polls };
      const error = state.status === 'error' ? readApiError(state.error) : null;
      return nextPollDelayMs({
        status,
        pollsInStatus: polls - inStatus.current.since,
        httpStatus: error?.kind === 'answered' ? error.httpStatus : null,
      });
    },
  });
  const { refetch } = query;
  useEffect(() => {
    // A page that Back brings out of the browser's cache is as old as the moment it was left.
    const onShow = (event: PageTransitionEvent) => {
      if (event.persisted) refetch();
    };
    window.addEventListener('pageshow', onShow);
    return () => window.removeEventListener('pageshow', onShow);
  }, [refetch]);
  return { withdrawal: query.data ?? null, error: query.error, checkedAt: query.dataUpdatedAt, refetch };
}
